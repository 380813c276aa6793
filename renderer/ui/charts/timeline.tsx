import { t } from "@lingui/core/macro";
import { type ReactNode, useState } from "react";
import type { Downtime, TimelineBar } from "../../../shared/api/node-view.ts";
import { lendingText } from "../../language/lending.ts";
import { stateWordInside } from "../../language/words.ts";
import { classes } from "../text/classes.ts";
import { clockTime, minuteTime, timeTaken } from "../text/format.ts";
import { Axis } from "./axis.tsx";
import { offsetAt, roundTimes } from "./round-times.ts";
import css from "./timeline.module.css";

export type TimelineLine = {
  readonly key: string;
  readonly head: ReactNode;
  readonly bars: readonly TimelineBar[];
  /** When it took no work: its owner, a drain, a pause, a loss. */
  readonly downtimes?: readonly Downtime[];
};

type Span = { readonly from: number; readonly now: number; readonly to: number };

/** Nodes as lines of time: a bar is an attempt, a gap is idle time. */
export const Timeline = ({
  lines,
  heads,
  from,
  now,
  onOpen,
}: {
  /** The caption above the line heads. */
  readonly heads?: ReactNode;
  readonly lines: readonly TimelineLine[];
  readonly from: number;
  readonly now: number;
  readonly onOpen: (bar: TimelineBar) => void;
}) => {
  const [hovered, setHovered] = useState<TimelineBar>();
  const to = now + (now - from) * 0.12;
  const span = { from, now, to };
  return (
    <div className={css.timeline}>
      <div className={css.line} aria-hidden="true">
        <span className={classes(css.head, css.heads)}>{heads}</span>
        <Axis className={css.axis} marks={hoursOf(span).map(({ at, word }) => ({ at: placeOf(at, span), word }))}>
          <i className={css.nowWord} style={{ left: `${placeOf(now, span)}%` }}>
            {minuteTime(now)}
          </i>
        </Axis>
      </div>
      <ul className={css.lines} aria-label={t`Timeline`}>
        {lines.map((line) => (
          <Line key={line.key} line={line} span={span} hovered={hovered} onHover={setHovered} onOpen={onOpen} />
        ))}
      </ul>
      <p className={css.said} role="status">
        {hovered ? wordsOf(hovered, now) : t`Point at a bar to see its task; a click opens it.`}
      </p>
    </div>
  );
};

const Line = ({
  line: { head, bars, downtimes = [] },
  span,
  hovered,
  onHover,
  onOpen,
}: {
  readonly line: TimelineLine;
  readonly span: Span;
  readonly hovered: TimelineBar | undefined;
  readonly onHover: (bar: TimelineBar | undefined) => void;
  readonly onOpen: (bar: TimelineBar) => void;
}) => {
  const lanes = Math.max(1, ...bars.map(({ lane }) => lane + 1));
  return (
    <li className={css.line}>
      <span className={css.head}>{head}</span>
      <span className={css.track}>
        {bars.map((bar) => (
          <Bar
            key={`${bar.task_id} ${bar.begun}`}
            bar={bar}
            lanes={lanes}
            span={span}
            isSame={hovered !== undefined && hovered.job_id === bar.job_id}
            onHover={onHover}
            onOpen={onOpen}
          />
        ))}
        {downtimes.map((downtime) => (
          <DowntimeBar key={`${downtime.state} ${downtime.from}`} downtime={downtime} span={span} />
        ))}
        <span className={css.now} style={{ left: `${placeOf(span.now, span)}%` }} />
      </span>
    </li>
  );
};

/** Narrower ones have no room for a word, in percent of the line. */
const leastWorded = 4;

const DowntimeBar = ({
  downtime: { state, from, to, why, lending },
  span,
}: {
  readonly downtime: Downtime;
  readonly span: Span;
}) => {
  const [begin, end] = [placeOf(from, span), to === null ? 100 : placeOf(to, span)];
  const word = (lending ? lendingText({ state: lending, why }) : why) || stateWordInside(state);
  const until = to === null ? t`now` : minuteTime(to);
  const time = t`${minuteTime(from)} to ${until}`;
  return (
    <span
      className={classes(css.cover, css[looks[state]])}
      style={{ left: `${begin}%`, width: `max(1px, ${end - begin}%)` }}
      role="img"
      aria-label={`${word}, ${time}`}
    >
      {end - begin >= leastWorded && <b title={`${word}, ${time}`}>{word}</b>}
    </span>
  );
};

const looks: Readonly<Record<Downtime["state"], string>> = {
  off: "away",
  lost: "away",
  quarantined: "bad",
  draining: "drain",
  paused: "paused",
  inUse: "inUse",
};

type BarProps = {
  readonly bar: TimelineBar;
  readonly lanes: number;
  readonly span: Span;
  readonly isSame: boolean;
  readonly onHover: (bar: TimelineBar | undefined) => void;
  readonly onOpen: (bar: TimelineBar) => void;
};

const Bar = ({ bar, lanes, span, isSame, onHover, onOpen }: BarProps) => {
  const begin = placeOf(Math.max(bar.begun, span.from), span);
  const end = placeOf(bar.ended ?? span.now, span);
  const [top, height] = [(bar.lane / lanes) * 100, 100 / lanes];
  const row = { top: `calc(${top}% + 1px)`, height: `calc(${height}% - 1px)` };
  const expected = bar.expected === null ? undefined : Math.min(placeOf(bar.expected, span), 100);
  return (
    <>
      <button
        type="button"
        tabIndex={-1}
        data-mark
        className={classes(css.bar, css[bar.state], isSame && css.same)}
        style={{ left: `${begin}%`, width: `max(2px, ${end - begin}%)`, ...row }}
        aria-label={wordsOf(bar, span.now)}
        onMouseEnter={() => onHover(bar)}
        onMouseLeave={() => onHover(undefined)}
        onClick={() => onOpen(bar)}
      />
      {expected !== undefined && (
        <span className={css.expected} style={{ left: `${end}%`, width: `${Math.max(0, expected - end)}%`, ...row }} />
      )}
    </>
  );
};

const placeOf = (at: number, { from, to }: Span): number =>
  Math.max(0, Math.min(100, ((at - from) / (to - from)) * 100));

const stateWords: Record<TimelineBar["state"], string> = {
  running: t`running`,
  published: t`completed`,
  failed: t`failed`,
  lost: t`given back`,
  cancelled: t`stopped`,
};

const wordsOf = ({ job, name, state, begun, ended, message }: TimelineBar, now: number): string => {
  const until = ended === null ? t`now` : clockTime(ended);
  return [
    `${job}, ${name}: ${stateWords[state]}`,
    t`${clockTime(begun)} to ${until}, ${timeTaken((ended ?? now) - begun)}`,
    ...(message && state === "failed" ? [message.slice(0, 160)] : []),
  ].join(". ");
};

const mostHours = 10;

/** Full hours, or round minutes where there are few. */
const hoursOf = ({ from, now }: Span): { at: number; word: string }[] => {
  const least = (now - from) / 14; // a word that close to the present would touch it
  return roundTimes(from, now, mostHours, offsetAt(now))
    .filter((at) => now - at > least)
    .map((at) => ({ at, word: minuteTime(at) }));
};
