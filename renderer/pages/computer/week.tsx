import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { type KeyboardEvent, useRef, useState } from "react";
import type { WeekPlan } from "../../../shared/lending/week-plan.ts";
import { locale } from "../../language/index.ts";
import { Panel } from "../../ui/layout/panel.tsx";
import { classes } from "../../ui/text/classes.ts";
import css from "./computer.module.css";
import type { PartProps } from "./part.ts";

/** 1 January 2024 was a Monday. */
const mondayFirst = Array.from({ length: 7 }, (_, day) => new Date(2024, 0, 1 + day));
const days = mondayFirst.map((date) => date.toLocaleDateString(locale, { weekday: "long" }));
const shortDays = mondayFirst.map((date) => date.toLocaleDateString(locale, { weekday: "short" }));
const hours = Array.from({ length: 24 }, (_, hour) => hour);

type Place = { readonly day: number; readonly hour: number };

/** The weekly hours in which this computer may lend. Arrow keys move, Space toggles an hour, dragging paints. */
export const Week = ({ computer: { rules }, ask, now }: PartProps & { readonly now: number }) => {
  const brush = useBrush(rules.week, (week) => ask((app) => app.setRules({ rules: { ...rules, week: [...week] } })));
  const [current, setCurrent] = useState<Place>({ day: 0, hour: 0 });
  const grid = useRef<HTMLTableElement>(null);
  const today = new Date(now);
  const here = { day: (today.getDay() + 6) % 7, hour: today.getHours() };

  const onKeyDown = (event: KeyboardEvent) => {
    const place = placeAfter(event.key, current);
    if (!place) return;
    event.preventDefault();
    setCurrent(place);
    grid.current?.querySelector<HTMLElement>(`[data-place="${place.day} ${place.hour}"]`)?.focus();
  };

  return (
    <Panel
      title={t`Week plan`}
      count={rules.lend === "hours" ? t`used now` : t`used by “By hours”`}
      aid={
        <>
          <span className={css.key} data-part="lends" /> <Trans>may lend</Trans>
          <span className={css.key} data-part="mine" /> <Trans>mine</Trans>
        </>
      }
    >
      <div className={css.weekBox}>
        <table
          ref={grid}
          className={css.week}
          aria-label={t`Hours in which this computer may lend`}
          onKeyDown={onKeyDown}
          onPointerUp={brush.end}
          onPointerLeave={brush.end}
        >
          <HoursHead />
          <tbody>
            {days.map((name, day) => (
              <tr key={name}>
                <th scope="row" aria-label={name} className={classes(day === here.day && css.today)}>
                  {shortDays[day]}
                </th>
                {hours.map((hour) => (
                  <Hour
                    key={hour}
                    place={{ day, hour }}
                    brush={brush}
                    isNow={isSame(here, { day, hour })}
                    isCurrent={isSame(current, { day, hour })}
                    onFocus={setCurrent}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
};

/** Where a key leads to; beyond an edge it goes on at the other one. */
const placeAfter = (key: string, { day, hour }: Place): Place | undefined => {
  const moves: Record<string, Place> = {
    ArrowLeft: { day, hour: hour - 1 },
    ArrowRight: { day, hour: hour + 1 },
    ArrowUp: { day: day - 1, hour },
    ArrowDown: { day: day + 1, hour },
    Home: { day, hour: 0 },
    End: { day, hour: 23 },
  };
  const place = moves[key];
  return place && { day: (place.day + 7) % 7, hour: (place.hour + 24) % 24 };
};

const isSame = (one: Place, other: Place): boolean => one.day === other.day && one.hour === other.hour;

const HoursHead = () => (
  <thead>
    <tr>
      <td />
      {hours.map((hour) => (
        <th key={hour} scope="col">
          <span className={hour % 3 === 0 ? undefined : "unseen"}>{String(hour).padStart(2, "0")}</span>
        </th>
      ))}
    </tr>
  </thead>
);

/** The plan as it is drawn, and what paints it: a stroke gives all its hours the value that its first one gets. */
const useBrush = (kept: WeekPlan, keep: (week: WeekPlan) => void) => {
  const [draft, setDraft] = useState<WeekPlan>();
  const painting = useRef<"0" | "1">(undefined);
  const plan = draft ?? kept;
  const mayLend = ({ day, hour }: Place) => plan[day]?.[hour] === "1";
  const paint = (place: Place) => {
    if (painting.current !== undefined) setDraft((before) => painted(before ?? kept, place, painting.current ?? "0"));
  };
  const done = (week: WeekPlan) => {
    setDraft(undefined);
    keep(week);
  };
  return {
    mayLend,
    paint,
    begin: (place: Place) => {
      painting.current = mayLend(place) ? "0" : "1";
      paint(place);
    },
    end: () => {
      painting.current = undefined;
      if (draft) done(draft);
    },
    toggle: (place: Place) => done(painted(plan, place, mayLend(place) ? "0" : "1")),
  };
};

type HourProps = {
  readonly place: Place;
  readonly brush: ReturnType<typeof useBrush>;
  readonly isNow: boolean;
  readonly isCurrent: boolean;
  readonly onFocus: (place: Place) => void;
};

const Hour = ({ place, brush, isNow, isCurrent, onFocus }: HourProps) => (
  <td>
    <button
      type="button"
      data-place={`${place.day} ${place.hour}`}
      aria-pressed={brush.mayLend(place)}
      aria-label={`${days[place.day]} ${clock(place.hour)}`}
      aria-current={isNow ? "time" : undefined}
      tabIndex={isCurrent ? 0 : -1}
      onFocus={() => onFocus(place)}
      onPointerDown={(event) => {
        event.currentTarget.releasePointerCapture(event.pointerId);
        brush.begin(place);
      }}
      onPointerEnter={() => brush.paint(place)}
      onClick={(event) => {
        // A mouse click was painted already; others come from keys and screen readers.
        if (event.detail === 0) brush.toggle(place);
      }}
    />
  </td>
);

const painted = (plan: WeekPlan, { day, hour }: Place, value: "0" | "1"): WeekPlan =>
  plan.map((text, at) => (at === day ? text.slice(0, hour) + value + text.slice(hour + 1) : text));

const clock = (hour: number): string => `${String(hour).padStart(2, "0")}:00`;
