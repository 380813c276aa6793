import { AppError } from "../../shared/errors.ts";
import { isHeld, type JobSchedule } from "../db/job-schedules.ts";
import type { Changes, Farm } from "./farm.ts";

/** Starts none of the job's tasks any more; those that run come to their end. A job that has ended stays as it is. */
export const pauseJob = (farm: Farm, jobId: number): Promise<void> =>
  farm.change((changes) => {
    if (isOpen(farm, jobId) && farm.stores.schedules.get(jobId).paused === null)
      reschedule(farm, changes, jobId, { paused: farm.clock.now() });
  });

/** Lets it go on at once: a time that it was to wait for counts no more. */
export const resumeJob = (farm: Farm, jobId: number): Promise<void> =>
  farm.change((changes) => {
    if (isOpen(farm, jobId)) reschedule(farm, changes, jobId, { paused: null, startAfter: null });
  });

/** Jobs whose time has come. */
export const startDueJobs = async (farm: Farm): Promise<void> => {
  const now = farm.clock.now();
  const isDue = ({ startAfter }: JobSchedule) => startAfter !== null && startAfter <= now;
  const due = [...farm.held].filter(([, schedule]) => isDue(schedule)).map(([jobId]) => jobId);
  if (due.length === 0) return;
  await farm.change((changes) => {
    for (const jobId of due) if (isOpen(farm, jobId)) reschedule(farm, changes, jobId, { startAfter: null });
  });
};

/** Writes down when the job may run, and has its waiting tasks placed anew. Called within a commit. */
export const reschedule = (farm: Farm, changes: Changes, jobId: number, change: Partial<JobSchedule>): void => {
  farm.stores.schedules.set(jobId, change);
  changes.held.set(jobId, farm.stores.schedules.get(jobId));
  changes.touchedJobs.add(jobId);
  for (const { id, state } of farm.stores.tasks.ofJob(jobId)) if (state === "ready") changes.tasks.add(id);
};

/** Remembers which jobs are held. Called after a commit. */
export const noteHeld = ({ held }: Farm, jobId: number, schedule: JobSchedule): void => {
  if (isHeld(schedule)) held.set(jobId, schedule);
  else held.delete(jobId);
};

const isOpen = (farm: Farm, jobId: number): boolean => {
  const job = farm.stores.jobs.get(jobId);
  if (!job) throw new AppError("NOT_FOUND", `There is no job ${jobId}`);
  return job.end_time === null && job.stopped === null;
};
