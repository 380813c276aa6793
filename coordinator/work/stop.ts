import type { Failure } from "../../shared/causes.ts";
import type { Draft } from "../memory/draft.ts";
import { endTasks, forgetEnded } from "./advance.ts";
import type { Farm } from "./farm.ts";
import { requireJob } from "./hold-job.ts";

/** Stops a job on every node; its state becomes failed and stopped. A job that has ended does not change. */
export const stopJob = (farm: Farm, jobId: number): Promise<void> =>
  farm.change([jobId], (draft) => {
    if (requireJob(draft, jobId).end_time !== null) return;
    const { tasks, runs } = draft.job(jobId);
    draft.setJob(jobId, { stopped: farm.clock.now() });
    const failure: Failure = { cause: "cancelled", message: "The job was stopped" };
    endTasks(farm, draft, tasks.values(), failure);
    for (const run of [...runs.values()]) {
      if (!draft.moveRun(jobId, run, "fail", { failure })) draft.moveRun(jobId, run, "skip");
    }
    draft.touch(jobId);
  });

/** The number of jobs deleted in one decision; fifty would block all other answers for a tenth of a second. */
const deletesAtOnce = 5;

/** Deletes jobs in any state and ends their running tasks. Resolves with the ids of the jobs that existed. */
export const deleteJobs = async (farm: Farm, jobIds: readonly number[]): Promise<number[]> => {
  const deleted: number[] = [];
  for (let from = 0; from < jobIds.length; from += deletesAtOnce) {
    const some = jobIds.slice(from, from + deletesAtOnce);
    deleted.push(...(await farm.change([], (draft) => some.filter((jobId) => deleteJob(farm, draft, jobId)))));
  }
  return deleted;
};

const deleteJob = (farm: Farm, draft: Draft, jobId: number): boolean => {
  const row = draft.head(jobId);
  if (!row) return false;
  if (row.end_time === null)
    endTasks(farm, draft, draft.job(jobId).tasks.values(), { cause: "cancelled", message: "The job was deleted" });
  draft.after(() => forgetEnded(farm, jobId));
  return draft.removeJob(jobId);
};
