import type { z } from "zod";
import { type jobUpdate, limits } from "../../shared/model/job.ts";
import type { Transaction } from "../kernel/transaction.ts";
import { joinTags } from "../planning/task-tags.ts";
import type { JobRow, JobSchedule } from "../store/rows.ts";
import type { Jobs } from "./jobs.ts";
import { requireJob, reschedule } from "./pause.ts";

type Parts = Pick<Jobs, "clock" | "change" | "pausedJobs" | "jobStarter">;

type Change = z.output<typeof jobUpdate>;

/** What a job had before it was changed. */
export type JobBefore = { readonly priority: number; readonly schedule: JobSchedule };

/** Changes the given fields. A new priority and new tags also apply to tasks that are already waiting. */
export const updateJob = (farm: Parts, jobId: number, change: Change): Promise<JobBefore> =>
  farm.change([jobId], (draft) => {
    const row = requireJob(draft, jobId);
    const before: JobBefore = { priority: row.priority, schedule: draft.job(jobId).schedule };
    draft.setJob(jobId, rowOf(row, change));
    const schedule = scheduleOf(change);
    if (schedule) reschedule(farm, draft, jobId, schedule);
    if (schedule?.tags) retag(draft, jobId, schedule.tags);
    return before;
  });

/** Adds to the job's priority, within its bounds. Resolves with what it was. */
export const stepPriority = (farm: Parts, jobId: number, step: number): Promise<JobBefore> =>
  farm.change([jobId], (draft) => {
    const { priority } = requireJob(draft, jobId);
    const wanted = Math.max(limits.lowestPriority, Math.min(limits.highestPriority, priority + step));
    draft.setJob(jobId, { priority: wanted });
    return { priority, schedule: draft.job(jobId).schedule };
  });

/** If the job has ended, its expiration time moves by the same amount. */
const rowOf = (before: JobRow, { name, priority, expiration, user_tag }: Change): Partial<JobRow> => ({
  ...(name !== undefined && { name }),
  ...(priority !== undefined && { priority }),
  ...(user_tag !== undefined && { user_tag }),
  ...(expiration !== undefined && {
    expiration,
    expiration_time:
      before.expiration_time === null ? null : before.expiration_time + (expiration - before.expiration) * 60_000,
  }),
});

const scheduleOf = ({ start_after, task_tags }: Change): Partial<JobSchedule> | undefined => {
  if (start_after === undefined && task_tags === undefined) return undefined;
  return {
    ...(start_after !== undefined && { startAfter: start_after }),
    ...(task_tags !== undefined && { tags: task_tags }),
  };
};

const retag = (draft: Transaction, jobId: number, jobTags: readonly string[]): void => {
  const { specs, tasks } = draft.job(jobId);
  for (const task of [...tasks.values()].filter(isWaiting)) {
    draft.setTask(task, { tags: joinTags(jobTags, specs.get(task.element_uid)?.tags ?? []) });
  }
};

const isWaiting = ({ state }: { readonly state: string }): boolean => state === "ready" || state === "delayed";

type Submitted = { readonly tags: readonly string[]; readonly startAfter: number | null; readonly isPaused: boolean };

/** When and where a submitted job may run. */
export const scheduleAtStart = (
  { clock }: Pick<Jobs, "clock">,
  { tags, startAfter, isPaused }: Submitted,
): JobSchedule => {
  const now = clock.now();
  return {
    tags,
    startAfter: startAfter !== null && startAfter > now ? startAfter : null,
    paused: isPaused ? now : null,
  };
};
