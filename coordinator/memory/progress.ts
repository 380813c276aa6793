import type { Progress } from "../../shared/protocol.ts";

/**
 * Progress lives in memory: it is not worth a commit, and a restart learns it anew from tasks and agents. The store hears
 * of a job's now and then, for its lists are sorted by it.
 */
export type ProgressBoard = ReturnType<typeof createProgressBoard>;

export type JobShare = {
  /** Effort that is done, of `total`. */
  readonly done: number;
  readonly total: number;
  /** Open tasks and the effort each stands for. */
  readonly tasks: ReadonlyMap<number, number>;
};

export const createProgressBoard = () => {
  const tasks = new Map<number, Progress>();
  const jobs = new Map<number, JobShare>();
  /** Jobs that came further than the store knows. */
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
    /** Jobs to write down, those first that waited longest; they are not named again before they go on. */
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
