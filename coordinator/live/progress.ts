import type { Progress } from "../../shared/protocol/messages.ts";
import type { JobShare } from "../kernel/job-value.ts";

/**
 * Progress is kept in memory; after a restart it comes from tasks and agents. It is stored only now and then, because
 * lists can be sorted by it.
 */
export type LiveProgress = ReturnType<typeof createLiveProgress>;

type OnBoard = {
  share: JobShare;
  /** Effort that running tasks have done. */
  underway: number;
  /** The shown effort: it does not fall when a task starts anew. */
  shown: number;
};

type Reported = {
  readonly progress: Progress;
  readonly jobId: number;
  readonly worth: number;
  /** When its percentage reached this value. */
  readonly since: number;
};

/** `effortOf` gives a task's share of its job, `now` the time of a report. */
export const createLiveProgress = (effortOf: (jobId: number, taskId: number) => number, now: () => number) => {
  const begun = now();
  const tasks = new Map<number, Reported>();
  const jobs = new Map<number, OnBoard>();
  /** Jobs whose progress is ahead of the store. */
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
    /** `atLeast`: the percentage shown before the job came on the board. */
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
    /** Jobs to store, the longest waiting first; each is named again only after further progress. */
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
    /** Since when it has this percentage, as far as this board knows. */
    since: (taskId: number): number => tasks.get(taskId)?.since ?? begun,
    /** 0..99 of a running job: only its end means 100. It never falls. Undefined for a job that is not on the board. */
    job: (jobId: number): number | undefined => {
      const job = jobs.get(jobId);
      if (!job) return undefined;
      const percent = (100 * (job.share.done + Math.max(0, job.underway))) / Math.max(job.share.total, 1);
      // Sums of many small shares are slightly inexact.
      job.shown = Math.max(job.shown, Math.min(99, Math.floor(percent + 1e-6)));
      return job.shown;
    },
  };
};
