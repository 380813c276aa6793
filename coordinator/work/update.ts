import type { z } from "zod";
import type { jobUpdate } from "../../shared/job.ts";
import type { JobSchedule } from "../db/job-schedules.ts";
import type { Changes, Farm } from "./farm.ts";
import { reschedule } from "./hold.ts";

type Change = z.output<typeof jobUpdate>;

/** Changes what is named and leaves the rest; a new priority and new tags hold for tasks that wait already. */
export const updateJob = (farm: Farm, jobId: number, change: Change): Promise<void> =>
  farm.change((changes) => {
    const { name, priority, expiration, user_tag: userTag } = change;
    farm.stores.jobs.update(jobId, { name, priority, expiration, userTag });
    changes.jobs.add(jobId);
    const schedule = scheduleOf(change);
    if (schedule) reschedule(farm, changes, jobId, schedule);
    if (schedule?.tags) retag(farm, jobId, schedule.tags);
    for (const task of farm.stores.tasks.ofJob(jobId)) if (isWaiting(task)) changes.tasks.add(task.id);
  });

const scheduleOf = ({ start_after, task_tags }: Change): Partial<JobSchedule> | undefined => {
  if (start_after === undefined && task_tags === undefined) return undefined;
  return {
    ...(start_after !== undefined && { startAfter: start_after }),
    ...(task_tags !== undefined && { tags: task_tags }),
  };
};

const retag = (farm: Farm, jobId: number, jobTags: readonly string[]): void => {
  const own = new Map(farm.stores.elementRuns.ofJob(jobId).map(({ uid, spec }) => [uid, spec.tags]));
  for (const task of farm.stores.tasks.ofJob(jobId)) {
    if (isWaiting(task)) farm.stores.tasks.setTags(task.id, tagsOf(jobTags, own.get(task.element_uid) ?? []));
  }
};

const isWaiting = ({ state }: { readonly state: string }): boolean => state === "ready" || state === "delayed";

/** What a task carries: the job's tags and its element's. */
export const tagsOf = (job: readonly string[], element: readonly string[]): string[] => [
  ...new Set([...job, ...element]),
];

/** What a submission says of when and where the job may run, where it says anything. */
export const scheduleAtStart = (
  farm: Farm,
  changes: Changes,
  jobId: number,
  { tags, startAfter, isPaused }: { tags: readonly string[]; startAfter: number | null; isPaused: boolean },
): void => {
  const now = farm.clock.now();
  const waitsFor = startAfter !== null && startAfter > now ? startAfter : null;
  if (tags.length === 0 && waitsFor === null && !isPaused) return;
  reschedule(farm, changes, jobId, { tags, startAfter: waitsFor, paused: isPaused ? now : null });
};
