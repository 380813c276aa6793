import { t } from "@lingui/core/macro";
import { type PointerEvent, useState } from "react";
import { duration, number } from "../text/format.ts";
import { Axis } from "./axis.tsx";
import css from "./time-chart.module.css";

/** Data over time: lanes have intervals, curves have a value at each moment. */
export type TimeRow =
  | { readonly key: string; readonly title: string; readonly intervals: readonly (readonly [number, number])[] }
  | {
      readonly key: string;
      readonly title: string;
      readonly unit: string;
      readonly stepSec: number;
      readonly values: readonly number[];
    };

/** Rows over one axis of time; the pointer shows the values of all rows at one moment. */
export const TimeChart = ({ seconds, rows }: { readonly seconds: number; readonly rows: readonly TimeRow[] }) => {
  const [at, setAt] = useState<number>();
  const read = (event: PointerEvent<HTMLElement>) => {
    const track = event.currentTarget.querySelector<HTMLElement>(`.${css.track}`)?.getBoundingClientRect();
    if (!track || track.width === 0) return;
    const share = (event.clientX - track.left) / track.width;
    setAt(share >= 0 && share <= 1 ? share : undefined);
  };
  return (
    <div className={css.chart} onPointerMove={read} onPointerLeave={() => setAt(undefined)}>
      {rows.map((row) => (
        <div key={row.key} className={css.row}>
          <span className={css.title}>
            {row.title}
            <span className={css.value}>{valueAt(row, at, seconds)}</span>
          </span>
          {"values" in row ? <Curve row={row} seconds={seconds} /> : <Lane row={row} seconds={seconds} />}
        </div>
      ))}
      <div className={css.row} aria-hidden="true">
        <span className={css.title}>{at === undefined ? "" : t`at ${duration(at * seconds * 1000)}`}</span>
        <Axis
          className={css.axis}
          marks={ticks(seconds).map((tick) => ({ at: (tick / seconds) * 100, word: duration(tick * 1000) }))}
        />
      </div>
      {at !== undefined && (
        <div className={css.cursor} aria-hidden="true">
          <span style={{ left: `${at * 100}%` }} />
        </div>
      )}
    </div>
  );
};

type Of<Kind> = Extract<TimeRow, Kind>;

const Lane = ({
  row: { title, intervals },
  seconds,
}: {
  readonly row: Of<{ intervals: unknown }>;
  readonly seconds: number;
}) => (
  <span className={css.track} role="img" aria-label={`${title}: ${laneWords(intervals)}`}>
    {intervals.map(([begin, end]) => (
      <span
        key={`${begin} ${end}`}
        className={css.stretch}
        style={{ left: `${(begin / seconds) * 100}%`, width: `max(2px, ${((end - begin) / seconds) * 100}%)` }}
        title={t`${duration(begin * 1000)} to ${duration(end * 1000)}, ${number(end - begin, 2)} s`}
      />
    ))}
  </span>
);

const Curve = ({ row, seconds }: { readonly row: Of<{ values: unknown }>; readonly seconds: number }) => {
  const { title, unit, values } = row;
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const label = t`${title}: from ${round(least)} to ${round(most)} ${unit}`;
  return (
    <span className={css.track} data-tall="" role="img" aria-label={label}>
      <svg viewBox="0 0 1000 100" preserveAspectRatio="none" aria-hidden="true">
        <path d={pathOf(row, seconds, least, most)} vectorEffect="non-scaling-stroke" />
      </svg>
      <span className={css.most}>{round(most)}</span>
      <span className={css.least}>{round(least)}</span>
    </span>
  );
};

const pathOf = ({ values, stepSec }: Of<{ values: unknown }>, seconds: number, least: number, most: number): string => {
  const span = most - least || 1;
  const point = (value: number, at: number) =>
    `${(((at + 0.5) * stepSec) / seconds) * 1000} ${96 - ((value - least) / span) * 92}`;
  return `M${values.map(point).join("L")}`;
};

const valueAt = (row: TimeRow, at: number | undefined, seconds: number): string => {
  if (at === undefined) return "values" in row ? row.unit : countWords(row.intervals);
  if (!("values" in row))
    return row.intervals.some(([a, b]) => at * seconds >= a && at * seconds <= b) ? t`yes` : t`no`;
  const value = row.values[Math.min(row.values.length - 1, Math.floor((at * seconds) / row.stepSec))];
  return value === undefined ? "" : `${round(value)} ${row.unit}`;
};

const countWords = (intervals: readonly unknown[]): string =>
  intervals.length === 0 ? t`none` : `${intervals.length}×`;

/** For screen readers a few intervals are enough. */
const laneWords = (intervals: readonly (readonly [number, number])[]): string => {
  if (intervals.length === 0) return t`none`;
  const told = intervals.slice(0, 5).map(([a, b]) => t`${duration(a * 1000)} to ${duration(b * 1000)}`);
  return intervals.length > 5 ? t`${told.join(", ")} and ${intervals.length - 5} more` : told.join(", ");
};

const round = (value: number): string => number(Number(value.toFixed(Math.abs(value) < 2 ? 4 : 1)), undefined);

const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200];

/** About six marks, at full seconds or minutes. */
const ticks = (seconds: number): number[] => {
  const step = steps.find((each) => seconds / each <= 7) ?? Math.ceil(seconds / 6);
  return Array.from({ length: Math.floor(seconds / step) + 1 }, (_, at) => at * step);
};
