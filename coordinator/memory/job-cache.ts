import type { JobValue } from "./job-value.ts";
import { Missing } from "./missing.ts";
import { createSubmitted } from "./submitted.ts";
import { rowWeight, weightOf } from "./weight.ts";

/** The jobs in memory, by their use, and how many bytes they take. Beyond `most` bytes, those unused for long leave. */
export const createJobCache = (most: number, isPinned: (id: number) => boolean) => {
  /** In the order of use, the most recently used last. */
  const jobs = new Map<number, JobValue>();
  const submitted = createSubmitted();
  /** Jobs that do not exist, or no longer. */
  const gone = new Set<number>();
  /** The approximate number of bytes of each job, without its ended batches. */
  const weights = new Map<number, number>();
  let [weight, usedLast] = [0, 0];

  const grow = (id: number, bytes: number): void => {
    weights.set(id, (weights.get(id) ?? 0) + bytes);
    weight += bytes;
  };
  const forgetJob = (id: number): void => {
    submitted.drop(id);
    weight -= weights.get(id) ?? 0;
    weights.delete(id);
    jobs.delete(id);
  };
  const dropGone = (): void => {
    for (const id of gone) {
      if (isPinned(id)) continue;
      gone.delete(id);
      if (!jobs.get(id)?.row) forgetJob(id);
    }
  };

  const addJob = (value: JobValue): void => {
    if (!value.row) gone.add(value.id);
    forgetJob(value.id);
    jobs.set(value.id, value);
    grow(value.id, rowWeight * (1 + value.tasks.size) + weightOf([...value.runs.values()]));
  };
  const peekJob = (id: number): JobValue | undefined => {
    const value = submitted.take(id);
    if (value) addJob(value);
    return jobs.get(id);
  };

  return {
    /** Throws Missing if it was not loaded. */
    job: (id: number): JobValue => {
      const value = peekJob(id);
      if (!value) throw new Missing({ jobs: [id] });
      if (id === usedLast) return value;
      usedLast = id;
      jobs.delete(id);
      jobs.set(id, value);
      return value;
    },
    peekJob,
    allJobs: (): Iterable<JobValue> => jobs.values(),
    addJob,
    addSubmitted: submitted.add,
    /** The job is durable. */
    storedSubmitted: submitted.stored,
    /** Something was added to the job. */
    grow,
    forgetJob,
    noteGone: (id: number): void => {
      gone.add(id);
    },
    /** Forgets it until it is needed again, unless it has changes that are not durable yet. */
    letGo: (id: number): void => {
      if (!isPinned(id)) forgetJob(id);
    },
    trimJobs: (): void => {
      dropGone();
      for (const id of jobs.keys()) {
        if (weight <= most) return;
        if (!isPinned(id)) forgetJob(id);
      }
    },
  };
};
