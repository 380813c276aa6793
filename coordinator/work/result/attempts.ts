import type { AttemptWithStats } from "../../db/attempts.ts";
import type { Farm } from "../farm.ts";

/** An attempt, and how many runs of its task had failed before it. */
export type AttemptOfJob = AttemptWithStats & { readonly retryNr: number };

/** All attempts of a job, oldest first, by task. */
export const attemptsByTask = (farm: Farm, jobId: number): ReadonlyMap<number, readonly AttemptOfJob[]> => {
  const byTask = new Map<number, AttemptOfJob[]>();
  for (const attempt of farm.stores.attempts.readOfJob(jobId)) {
    const earlier = byTask.get(attempt.task_id) ?? [];
    const retryNr = earlier.filter(({ state }) => state === "failed").length;
    byTask.set(attempt.task_id, [...earlier, { ...attempt, retryNr }]);
  }
  return byTask;
};
