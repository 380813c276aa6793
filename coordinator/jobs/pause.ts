import { AppError } from "../../shared/basics/errors.ts";
import { changeEach } from "../kernel/committer.ts";
import type { Transaction } from "../kernel/transaction.ts";
import { isPaused, type JobRow, type JobSchedule } from "../store/rows.ts";
import type { Jobs } from "./jobs.ts";

type Parts = Pick<Jobs, "clock" | "change" | "pausedJobs">;

/** Pauses a job: no more of its tasks start, running ones finish. A job that has ended does not change. */
export const pauseJob = (farm: Parts, jobId: number): Promise<void> =>
  farm.change([jobId], (draft) => {
    if (isOpen(draft, jobId) && draft.job(jobId).schedule.paused === null)
      reschedule(farm, draft, jobId, { paused: farm.clock.now() });
  });

/** Resumes a job at once, even if it was scheduled for later. */
export const resumeJob = (farm: Parts, jobId: number): Promise<void> =>
  farm.change([jobId], (draft) => {
    if (isOpen(draft, jobId)) reschedule(farm, draft, jobId, { paused: null, startAfter: null });
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

/** Changes when the job may run; its waiting tasks follow. */
export const reschedule = (farm: Parts, draft: Transaction, jobId: number, change: Partial<JobSchedule>): void => {
  const before = draft.job(jobId).schedule;
  draft.setSchedule(jobId, change);
  if (isPaused(before) && !isPaused(draft.job(jobId).schedule)) waitFromNow(farm, draft, jobId);
  draft.touch(jobId);
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
