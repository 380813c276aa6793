import type { UiJobRow } from "../../../shared/job-view.ts";
import { jobStateName, states } from "../../../shared/state/labels.ts";
import { Bar } from "../../ui/bar.tsx";
import { countOf, duration, shortTime, span } from "../../ui/format.ts";
import type { Counts } from "../../ui/segments.ts";
import { State } from "../../ui/state.tsx";
import type { Column } from "../../ui/table.tsx";
import { Words } from "../../ui/words.tsx";
import css from "./jobs.module.css";

type Row = { readonly heading: string } | UiJobRow;
type Cell = (job: UiJobRow) => React.ReactNode;

export const columnsOf = (now: number): readonly Column<Row>[] => {
  const column = (key: string, title: string, cell: Cell, align?: "end"): Column<Row> => ({
    key: css[key] ?? key,
    title,
    align,
    cell: (row) => ("id" in row ? cell(row) : null),
  });
  return [
    column("state", "State", (job) => <State state={jobStateName(job)} />),
    column("name", "Job", (job) => (
      <>
        <Words text={job.name} className={css.title} />
        {job.user_tag !== null && <Words text={job.user_tag} className={css.tag} />}
      </>
    )),
    column("bar", "Tasks", (job) => <Bar counts={barOf(job)} label={`Tasks of job ${job.id}`} />),
    column("done", "Done", doneOf, "end"),
    column("what", "What is happening", (job) => (
      <Words text={happening(job, now)} className={jobStateName(job) === "failed" ? css.fault : css.sentence} />
    )),
    column("progress", "%", (job) => `${job.progress} %`, "end"),
    column("priority", "Prio", (job) => String(job.priority), "end"),
    column("ended", "Ended", (job) => shortTime(job.end_time, now), "end"),
    column("age", "Age", (job) => span(now - Date.parse(job.creation_time)), "end"),
  ];
};

const doneOf = ({ task_counts: counts }: UiJobRow) => {
  const total = counts.queued + counts.running + counts.completed + counts.failed;
  return total === 0 ? (
    "–"
  ) : (
    <>
      <b>{counts.completed}</b>/{total}
    </>
  );
};

/** Before its tasks are planned a job is a thread; a stopped one shows what was left as stopped. */
export const barOf = (job: UiJobRow): Partial<Counts> => {
  const { completed, running, queued, failed } = job.task_counts;
  const state = jobStateName(job);
  if (completed + running + queued + failed === 0) return state === "failed" ? { failed: 1 } : { blocked: 1 };
  if (state === "stopped") return { completed, stopped: running + queued + failed };
  return { completed, running, failed, [state === "retrying" ? "retrying" : "queued"]: queued };
};

const happening = (job: UiJobRow, now: number): string => {
  const { running, queued } = job.task_counts;
  const state = jobStateName(job);
  if (state === "stopped") return states.stopped.means;
  if (job.error !== null) return job.error;
  if (state === "completed" || state === "handled") {
    const took = job.start_time && job.end_time ? Date.parse(job.end_time) - Date.parse(job.start_time) : undefined;
    const handled = state === "handled" ? "; an error was handled" : "";
    return took === undefined ? `Completed${handled}` : `Took ${duration(took)}${handled}`;
  }
  if (running > 0) {
    const since = job.start_time ? `, started ${shortTime(job.start_time, now)}` : "";
    return `${countOf(running, "task runs", "tasks run")}, ${queued} queued${since}`;
  }
  if (queued > 0) return `${countOf(queued, "task waits", "tasks wait")}; the job's page says why`;
  return states[state].means;
};
