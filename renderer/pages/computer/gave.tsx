import { plural, t } from "@lingui/core/macro";
import type { Computer } from "../../../shared/desktop/ipc.ts";
import type { LentDay } from "../../../shared/lending/lending.ts";
import { locale } from "../../language/index.ts";
import { Panel } from "../../ui/layout/panel.tsx";
import { number } from "../../ui/text/format.ts";
import css from "./computer.module.css";

const shownDays = 7;
const dayMs = 86_400_000;
const hourMs = 3_600_000;

/** Hours in which tasks ran here, day by day. */
export const Gave = ({ computer, now }: { readonly computer: Computer; readonly now: number }) => {
  const days = lastDays(computer.report?.days ?? [], now);
  const most = Math.max(hourMs, ...days.map(({ lentMs }) => lentMs));
  const total = days.reduce((sum, { lentMs }) => sum + lentMs, 0);
  const tasks = days.reduce((sum, day) => sum + day.tasks, 0);
  return (
    <Panel
      title={t`What it gave`}
      count={t`hours a day`}
      aid={t`${inHours(total)} h, ${plural(tasks, { one: "# task", other: "# tasks" })} in 7 days`}
    >
      <ol className={css.gave}>
        {days.map(({ day, name, lentMs, tasks: ended }, at) => (
          <li key={day} title={`${day}: ${inHours(lentMs)} h, ${plural(ended, { one: "# task", other: "# tasks" })}`}>
            <span className={css.value}>{inHours(lentMs)}</span>
            <span
              className={css.pillar}
              data-today={at === shownDays - 1 ? "" : undefined}
              style={{ height: `${(lentMs / most) * 100}px` }}
            />
            <span className={css.note}>{name}</span>
          </li>
        ))}
      </ol>
    </Panel>
  );
};

const inHours = (ms: number): string => number(ms / hourMs, 1);
const weekday = (date: Date): string => date.toLocaleDateString(locale, { weekday: "short" });

/** Today and the six days before, including days without tasks. */
const lastDays = (known: readonly LentDay[], now: number): (LentDay & { readonly name: string })[] =>
  Array.from({ length: shownDays }, (_, at) => {
    const date = new Date(now - (shownDays - 1 - at) * dayMs);
    const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()]
      .map((part) => String(part).padStart(2, "0"))
      .join("-");
    const found = known.find((each) => each.day === day) ?? { day, lentMs: 0, tasks: 0 };
    return { ...found, name: at === shownDays - 1 ? t`today` : weekday(date) };
  });
