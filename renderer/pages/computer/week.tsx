import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { type KeyboardEvent, useRef, useState } from "react";
import type { WeekPlan } from "../../../shared/week-plan.ts";
import { locale } from "../../language/index.ts";
import { classes } from "../../ui/classes.ts";
import { Panel } from "../../ui/panel.tsx";
import css from "./computer.module.css";
import type { PartProps } from "./index.tsx";

/** 1 January 2024 was a Monday. */
const mondayFirst = Array.from({ length: 7 }, (_, day) => new Date(2024, 0, 1 + day));
const days = mondayFirst.map((date) => date.toLocaleDateString(locale, { weekday: "long" }));
const shortDays = mondayFirst.map((date) => date.toLocaleDateString(locale, { weekday: "short" }));
const hours = Array.from({ length: 24 }, (_, hour) => hour);

type Place = { readonly day: number; readonly hour: number };

/** The weekly hours in which this computer may lend. Arrow keys move, Space toggles an hour, dragging paints. */
export const Week = ({ computer: { rules }, ask, now }: PartProps & { readonly now: number }) => {
  const [current, setCurrent] = useState<Place>({ day: 0, hour: 0 });
  const [draft, setDraft] = useState<WeekPlan>();
  const painting = useRef<"0" | "1">(undefined);
  const grid = useRef<HTMLTableElement>(null);
  const plan = draft ?? rules.week;
  const isUsed = rules.lend === "hours";

  const keep = (week: WeekPlan) => {
    setDraft(undefined);
    ask((app) => app.setRules({ rules: { ...rules, week: [...week] } }));
  };
  const goTo = ({ day, hour }: Place) => {
    const place = { day: (day + 7) % 7, hour: (hour + 24) % 24 };
    setCurrent(place);
    grid.current?.querySelector<HTMLElement>(`[data-place="${place.day} ${place.hour}"]`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { day, hour } = current;
    const moves: Record<string, Place> = {
      ArrowLeft: { day, hour: hour - 1 },
      ArrowRight: { day, hour: hour + 1 },
      ArrowUp: { day: day - 1, hour },
      ArrowDown: { day: day + 1, hour },
      Home: { day, hour: 0 },
      End: { day, hour: 23 },
    };
    const place = moves[event.key];
    if (!place) return;
    event.preventDefault();
    goTo(place);
  };
  const paint = (place: Place) => {
    if (painting.current !== undefined)
      setDraft((before) => painted(before ?? rules.week, place, painting.current ?? "0"));
  };
  const endPainting = () => {
    painting.current = undefined;
    if (draft) keep(draft);
  };
  const today = new Date(now);
  const here = { day: (today.getDay() + 6) % 7, hour: today.getHours() };

  return (
    <Panel
      title={t`Week plan`}
      count={isUsed ? t`used now` : t`used by “By hours”`}
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
          onPointerUp={endPainting}
          onPointerLeave={endPainting}
        >
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
          <tbody>
            {days.map((name, day) => (
              <tr key={name}>
                <th scope="row" aria-label={name} className={classes(day === here.day && css.today)}>
                  {shortDays[day]}
                </th>
                {hours.map((hour) => (
                  <td key={hour}>
                    <button
                      type="button"
                      data-place={`${day} ${hour}`}
                      aria-pressed={plan[day]?.[hour] === "1"}
                      aria-label={`${name} ${clock(hour)}`}
                      aria-current={day === here.day && hour === here.hour ? "time" : undefined}
                      tabIndex={day === current.day && hour === current.hour ? 0 : -1}
                      onFocus={() => setCurrent({ day, hour })}
                      onPointerDown={(event) => {
                        event.currentTarget.releasePointerCapture(event.pointerId);
                        painting.current = plan[day]?.[hour] === "1" ? "0" : "1";
                        paint({ day, hour });
                      }}
                      onPointerEnter={() => paint({ day, hour })}
                      onClick={(event) => {
                        // A mouse click was painted already; others come from keys and screen readers.
                        if (event.detail === 0)
                          keep(painted(plan, { day, hour }, plan[day]?.[hour] === "1" ? "0" : "1"));
                      }}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
};

const painted = (plan: WeekPlan, { day, hour }: Place, value: "0" | "1"): WeekPlan =>
  plan.map((text, at) => (at === day ? text.slice(0, hour) + value + text.slice(hour + 1) : text));

const clock = (hour: number): string => `${String(hour).padStart(2, "0")}:00`;
