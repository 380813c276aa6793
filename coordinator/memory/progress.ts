import type { Progress } from "../../shared/protocol.ts";

/**
 * Progress lives in memory: it is not worth a commit, and a restart learns it anew from tasks and agents. The store hears
 * of a job's now and then, for its lists are sorted by it.
 */
export type ProgressBoard = ReturnType<typeof createProgressBoard>;

/** Effort that is done, of `total`. */
export type JobShare = { readonly done: number; readonly total: number };

type OnBoard = {
  share: JobShare;
  /** Effort that running tasks have done. */
  underway: number;
  /** What was shown: a task that starts anew takes nothing of it back. */
  shown: number;
};

type Reported = {
  readonly progress: Progress;
  readonly jobId: number;
  readonly worth: number;
  /** When its percentage was first this one. */
  readonly since: number;
};

/** `effortOf` says what a task stands for in its job, `now` when something was said. */
export const createProgressBoard = (effortOf: (jobId: number, taskId: number) => number, now: () => number) => {
  const begun = now();
  const tasks = new Map<number, Reported>();
  const jobs = new Map<number, OnBoard>();
  /** Jobs that came further than the store knows. */
  const unwritten = new Set<number>();

  const add = (jobId: number, effort: number): void => {
    const job = jobs.get(jobId);
    if (job) job.underway += effort;
  };
  const forgetTask = (taskId: number): void => {
    const reported = tasks.get(taskId);
    if (reported && tasks.delete(taskId)) add(reported.jobId, -reported.worth);
  };

  return {
    /** `atLeast`: the percentage that was shown before it came on the board. */
    setJob: (jobId: number, share: JobShare, atLeast: number): void => {
      if (share.done > 0) unwritten.add(jobId);
      const job = jobs.get(jobId);
      if (job) job.share = share;
      else jobs.set(jobId, { share, underway: 0, shown: atLeast });
    },
    forgetJob: (jobId: number): void => {
      jobs.delete(jobId);
      unwritten.delete(jobId);
    },
    /** Jobs to write down, those first that waited longest; they are not named again before they go on. */
    takeUnwritten: (most: number): number[] => {
      const taken = [...unwritten].slice(0, most);
      for (const jobId of taken) unwritten.delete(jobId);
      return taken;
    },
    setTask: (jobId: number, taskId: number, progress: Progress): void => {
      const before = tasks.get(taskId);
      forgetTask(taskId);
      const since = before && before.progress.percent === progress.percent ? before.since : now();
      const worth = (effortOf(jobId, taskId) * (progress.percent ?? 0)) / 100;
      tasks.set(taskId, { progress, jobId, worth, since });
      add(jobId, worth);
    },
    forgetTask,
    task: (taskId: number): Progress | undefined => tasks.get(taskId)?.progress,
    /** Since when its percentage is what it is, as far as this board knows. */
    since: (taskId: number): number => tasks.get(taskId)?.since ?? begun,
    /** 0..99 of a job that runs: 100 is said by its end alone. It never falls. Undefined for one that is not on the board. */
    job: (jobId: number): number | undefined => {
      const job = jobs.get(jobId);
      if (!job) return undefined;
      const percent = (100 * (job.share.done + Math.max(0, job.underway))) / Math.max(job.share.total, 1);
      // Sums of many small shares are a little off.
      job.shown = Math.max(job.shown, Math.min(99, Math.floor(percent + 1e-6)));
      return job.shown;
    },
  };
};
