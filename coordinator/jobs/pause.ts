import { AppError } from "../../shared/basics/errors.ts";
import { changeEach } from "../kernel/committer.ts";
import type { Transaction } from "../kernel/transaction.ts";
import { isPaused, type JobRow, type JobSchedule } from "../store/rows.ts";
import type { Jobs } from "./jobs.ts";

type Parts = Pick<Jobs, "clock" | "change" | "pausedJobs" | "jobStarter">;

/**
 * Pauses a job: no more of its tasks start, running ones finish. Resolves with when it might run before; a job that has
 * ended, or is paused, does not change.
 */
export const pauseJob = (farm: Parts, jobId: number): Promise<JobSchedule | undefined> =>
  farm.change([jobId], (draft) => {
    if (!isOpen(draft, jobId)) return undefined;
    const before = draft.job(jobId).schedule;
    if (before.paused !== null) return undefined;
    reschedule(farm, draft, jobId, { paused: farm.clock.now() });
    return before;
  });

/** Resumes a job at once, even if it was scheduled for later. Resolves with when it might run before. */
export const resumeJob = (farm: Parts, jobId: number): Promise<JobSchedule | undefined> =>
  farm.change([jobId], (draft) => {
    if (!isOpen(draft, jobId)) return undefined;
    const before = draft.job(jobId).schedule;
    if (!isPaused(before)) return undefined;
    reschedule(farm, draft, jobId, { paused: null, startAfter: null });
    return before;
  });

/** Lets an open job run again when it might before. */
export const restoreSchedule = (
  farm: Parts,
  jobId: number,
  { paused, startAfter }: Pick<JobSchedule, "paused" | "startAfter">,
): Promise<void> =>
  farm.change([jobId], (draft) => {
    if (isOpen(draft, jobId)) reschedule(farm, draft, jobId, { paused, startAfter });
  });

/** Starts jobs whose start time has come. */
export const startDueJobs = async (farm: Parts): Promise<void> => {
  const now = farm.clock.now();
  const isDue = ({ startAfter }: JobSchedule) => startAfter !== null && startAfter <= now;
  const due = [...farm.pausedJobs].filter(([, schedule]) => isDue(schedule)).map(([jobId]) => ({ jobId }));
  await changeEach(farm, due, (draft, { jobId }) => {
    const { row } = draft.job(jobId);
    if (row?.end_time === null && row.stopped === null) reschedule(farm, draft, jobId, { startAfter: null });
  });
};

/** Changes when the job may run; its waiting tasks follow. One that has not begun does so once it may run. */
export const reschedule = (farm: Parts, draft: Transaction, jobId: number, change: Partial<JobSchedule>): void => {
  const wasPaused = isPaused(draft.job(jobId).schedule);
  draft.setSchedule(jobId, change);
  const { row, schedule } = draft.job(jobId);
  if (wasPaused && !isPaused(schedule)) {
    waitFromNow(farm, draft, jobId);
    if (row?.begun === 0) awaitTurn(farm, draft, row);
  } else if (!wasPaused && isPaused(schedule)) draft.undo(farm.jobStarter.searchAgain);
  draft.touch(jobId);
};

/** The job, which is not paused, begins when there is room for it. */
export const awaitTurn = (
  farm: Pick<Jobs, "jobStarter">,
  draft: Transaction,
  { id, priority }: Pick<JobRow, "id" | "priority">,
): void => {
  const known = farm.jobStarter.add({ id, priority });
  draft.after(known);
  draft.undo(known);
};

/** Restarts the waiting time of its tasks: nobody checked for their sources while the job was paused. */
const waitFromNow = (farm: Parts, draft: Transaction, jobId: number): void => {
  for (const task of [...draft.job(jobId).tasks.values()])
    if (task.state === "ready" && task.awaits) draft.setTask(task, { ready_time: farm.clock.steady() });
};

const isOpen = (draft: Transaction, jobId: number): boolean => {
  const { end_time, stopped } = requireJob(draft, jobId);
  return end_time === null && stopped === null;
};

export const requireJob = (draft: Transaction, jobId: number): JobRow => {
  const { row } = draft.job(jobId);
  if (!row) throw new AppError("NOT_FOUND", `There is no job ${jobId}`);
  return row;
};
