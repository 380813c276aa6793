import type { Progress } from "../../shared/protocol.ts";

/** Progress lives in memory only: it is never worth a write, and a restart learns it anew from the agents. */
export type ProgressBoard = ReturnType<typeof createProgressBoard>;

type JobShare = {
  /** Effort that is done, of `total`. */
  readonly done: number;
  readonly total: number;
  /** Open tasks and the effort each stands for. */
  readonly tasks: ReadonlyMap<number, number>;
};

export const createProgressBoard = () => {
  const tasks = new Map<number, Progress>();
  const jobs = new Map<number, JobShare>();

  return {
    setJob: (jobId: number, share: JobShare): void => {
      for (const taskId of jobs.get(jobId)?.tasks.keys() ?? []) {
        if (!share.tasks.has(taskId)) tasks.delete(taskId);
      }
      jobs.set(jobId, share);
    },
    forgetJob: (jobId: number): void => {
      for (const taskId of jobs.get(jobId)?.tasks.keys() ?? []) tasks.delete(taskId);
      jobs.delete(jobId);
    },
    setTask: (taskId: number, progress: Progress): void => {
      tasks.set(taskId, progress);
    },
    forgetTask: (taskId: number): void => {
      tasks.delete(taskId);
    },
    task: (taskId: number): Progress | undefined => tasks.get(taskId),
    /** 0..99 of a job that runs: 100 is said by its end alone. Undefined for one that is not on the board. */
    job: (jobId: number): number | undefined => {
      const share = jobs.get(jobId);
      if (!share) return undefined;
      let done = share.done;
      for (const [taskId, effort] of share.tasks) done += (effort * (tasks.get(taskId)?.percent ?? 0)) / 100;
      return Math.min(99, Math.floor((100 * done) / Math.max(share.total, 1)));
    },
  };
};
