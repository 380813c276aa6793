import type { UiJobRow } from "../../shared/api/job-view.ts";
import { jobStateName } from "../../shared/model/state-labels.ts";
import type { Counts } from "../ui/charts/segments.ts";

/** A job without planned tasks is a thin line; one that is just being stopped shows its unfinished tasks as stopped. */
export const countBar = (job: Pick<UiJobRow, "task_counts" | "status" | "substatus">): Partial<Counts> => {
  const { completed, running, queued, failed, stopped } = job.task_counts;
  const state = jobStateName(job);
  if (totalOf(job.task_counts) === 0) return state === "failed" ? { failed: 1 } : { blocked: 1 };
  if (state === "stopped") return { completed, failed, stopped: running + queued + stopped };
  return { completed, running, failed, stopped, [state === "retrying" ? "retrying" : "queued"]: queued };
};

/** How many tasks these are. */
export const totalOf = (counts: UiJobRow["task_counts"]): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);
