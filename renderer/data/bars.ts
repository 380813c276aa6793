import type { UiJobRow } from "../../shared/api/job-view.ts";
import { jobStateName } from "../../shared/model/state-labels.ts";
import type { Counts } from "../ui/charts/segments.ts";

/** A job without planned tasks is a thin line; a stopped one shows its unfinished tasks as stopped. */
export const countBar = (job: Pick<UiJobRow, "task_counts" | "status" | "substatus">): Partial<Counts> => {
  const { completed, running, queued, failed } = job.task_counts;
  const state = jobStateName(job);
  if (completed + running + queued + failed === 0) return state === "failed" ? { failed: 1 } : { blocked: 1 };
  if (state === "stopped") return { completed, stopped: running + queued + failed };
  return { completed, running, failed, [state === "retrying" ? "retrying" : "queued"]: queued };
};
