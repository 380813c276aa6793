import type { AttemptWithStats, JobReport } from "../../store/job-reads.ts";

/** An attempt, and how many runs of its task had failed before it. */
export type AttemptOfJob = AttemptWithStats & { readonly retryNr: number };

/** All attempts of a job by task, oldest first. */
export const attemptsByTask = ({ attempts }: JobReport): ReadonlyMap<number, readonly AttemptOfJob[]> => {
  const byTask = new Map<number, AttemptOfJob[]>();
  for (const attempt of attempts) {
    const earlier = byTask.get(attempt.task_id) ?? [];
    const retryNr = earlier.filter(({ state }) => state === "failed").length;
    byTask.set(attempt.task_id, [...earlier, { ...attempt, retryNr }]);
  }
  return byTask;
};
