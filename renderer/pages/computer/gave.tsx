import type { Computer } from "../../../shared/ipc.ts";
import type { LentDay } from "../../../shared/lending.ts";
import { countOf } from "../../ui/format.ts";
import { Panel } from "../../ui/panel.tsx";
import css from "./computer.module.css";

const shownDays = 7;
const dayMs = 86_400_000;
const hourMs = 3_600_000;
const names = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"] as const;

/** Hours in which tasks ran here, day by day. */
export const Gave = ({ computer, now }: { readonly computer: Computer; readonly now: number }) => {
  const days = lastDays(computer.report?.days ?? [], now);
  const most = Math.max(hourMs, ...days.map(({ lentMs }) => lentMs));
  const total = days.reduce((sum, { lentMs }) => sum + lentMs, 0);
  const tasks = days.reduce((sum, day) => sum + day.tasks, 0);
  return (
    <Panel title="What it gave" count="hours a day" aid={`${inHours(total)} h, ${countOf(tasks, "task")} in 7 days`}>
      <ol className={css.gave}>
        {days.map(({ day, name, lentMs, tasks: ended }, at) => (
          <li key={day} title={`${day}: ${inHours(lentMs)} h, ${countOf(ended, "task")}`}>
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

const inHours = (ms: number): string => (ms / hourMs).toFixed(1);

/** Today and the six days before, including days without tasks. */
const lastDays = (known: readonly LentDay[], now: number): (LentDay & { readonly name: string })[] =>
  Array.from({ length: shownDays }, (_, at) => {
    const date = new Date(now - (shownDays - 1 - at) * dayMs);
    const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()]
      .map((part) => String(part).padStart(2, "0"))
      .join("-");
    const found = known.find((each) => each.day === day) ?? { day, lentMs: 0, tasks: 0 };
    return { ...found, name: at === shownDays - 1 ? "today" : (names[date.getDay()] ?? "") };
  });
