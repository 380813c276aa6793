import type { Progress } from "../../shared/protocol.ts";

/**
 * Progress is kept in memory: it is not worth a commit, and after a restart it is derived again from tasks and agents.
 * The store gets a job's progress now and then, because its lists are sorted by it.
 */
export type ProgressBoard = ReturnType<typeof createProgressBoard>;

export type JobShare = {
  /** Completed effort, out of `total`. */
  readonly done: number;
  readonly total: number;
  /** Open tasks and the effort of each. */
  readonly tasks: ReadonlyMap<number, number>;
};

export const createProgressBoard = () => {
  const tasks = new Map<number, Progress>();
  const jobs = new Map<number, JobShare>();
  /** Jobs whose progress is ahead of the store's. */
  const unwritten = new Set<number>();

  return {
    setJob: (jobId: number, share: JobShare): void => {
      if (share.done > 0) unwritten.add(jobId);
      for (const taskId of jobs.get(jobId)?.tasks.keys() ?? []) {
        if (!share.tasks.has(taskId)) tasks.delete(taskId);
      }
      jobs.set(jobId, share);
    },
    forgetJob: (jobId: number): void => {
      for (const taskId of jobs.get(jobId)?.tasks.keys() ?? []) tasks.delete(taskId);
      jobs.delete(jobId);
      unwritten.delete(jobId);
    },
    /** Jobs to store, longest waiting first; they are not returned again until they progress. */
    takeUnwritten: (most: number): number[] => {
      const taken = [...unwritten].slice(0, most);
      for (const jobId of taken) unwritten.delete(jobId);
      return taken;
    },
    setTask: (taskId: number, progress: Progress): void => {
      tasks.set(taskId, progress);
    },
    forgetTask: (taskId: number): void => {
      tasks.delete(taskId);
    },
    task: (taskId: number): Progress | undefined => tasks.get(taskId),
    /** 0..99 of a running job; only its end reports 100. Undefined for a job that is not on the board. */
    job: (jobId: number): number | undefined => {
      const share = jobs.get(jobId);
      if (!share) return undefined;
      let done = share.done;
      for (const [taskId, effort] of share.tasks) done += (effort * (tasks.get(taskId)?.percent ?? 0)) / 100;
      return Math.min(99, Math.floor((100 * done) / Math.max(share.total, 1)));
    },
  };
};
