import { CacheMiss } from "./cache-miss.ts";
import type { JobValue } from "./job-value.ts";
import { estimateBytes, rowWeight, WeighedMap } from "./weight.ts";

/** The jobs in memory, by their use. Beyond `most` bytes, those unused for long leave. */
export const createJobCache = (most: number, isPinned: (id: number) => boolean) => {
  /** In the order of use, the most recently used last; weighed without their ended batches. */
  const jobs = new WeighedMap<number, JobValue>();
  const submitted = createSubmittedJobs();
  /** Jobs that do not exist, or no longer. */
  const gone = new Set<number>();
  let usedLast = 0;

  const forgetJob = (id: number): void => {
    submitted.drop(id);
    jobs.delete(id);
  };
  const addJob = (value: JobValue): void => {
    if (!value.row) gone.add(value.id);
    forgetJob(value.id);
    jobs.set(value.id, value, weigh(value));
  };
  const peekJob = (id: number): JobValue | undefined => {
    const value = submitted.take(id);
    if (value) addJob(value);
    return jobs.get(id);
  };

  return {
    /** Throws CacheMiss if it was not loaded. */
    job: (id: number): JobValue => {
      const value = peekJob(id);
      if (!value) throw new CacheMiss({ jobs: [id] });
      if (id !== usedLast) jobs.touch(id, value);
      usedLast = id;
      return value;
    },
    peekJob,
    allJobs: (): Iterable<JobValue> => jobs.values(),
    addJob,
    addSubmitted: submitted.add,
    /** The job is durable. */
    storedSubmitted: submitted.stored,
    /** Something was added to the job. */
    grow: (id: number, bytes: number): void => jobs.grow(id, bytes),
    forgetJob,
    noteGone: (id: number): void => void gone.add(id),
    /** Forgets it until it is needed again, unless it has changes that are not durable yet. */
    letGo: (id: number): void => {
      if (!isPinned(id)) forgetJob(id);
    },
    trimJobs: (isAwaited: (id: number) => boolean): void => {
      const isUnused = (id: number): boolean => !isPinned(id) && !isAwaited(id);
      for (const id of gone) {
        if (!isUnused(id)) continue;
        gone.delete(id);
        if (!jobs.get(id)?.row) forgetJob(id);
      }
      jobs.trim(most, isUnused);
    },
  };
};

const weigh = ({ tasks, runs }: JobValue): number => rowWeight * (1 + tasks.size) + estimateBytes([...runs.values()]);

/** Bytes of stored jobs that wait here to begin. */
const mostSubmitted = 16e6;

type Submitted = { readonly bytes: number; readonly make: () => JobValue };

/**
 * Submitted jobs that have not begun. Most of them only wait, so their values are made when they begin. Of those that
 * are stored, only the ones that begin first stay in memory; the others are loaded again.
 */
const createSubmittedJobs = () => {
  const jobs = new Map<number, Submitted>();
  let sum = 0;

  const drop = (id: number): Submitted | undefined => {
    const found = jobs.get(id);
    if (found && jobs.delete(id)) sum -= found.bytes;
    return found;
  };

  return {
    add: (id: number, job: Submitted): void => {
      jobs.set(id, job);
      sum += job.bytes;
    },
    /** The job's value, which is the caller's from now on. */
    take: (id: number): JobValue | undefined => drop(id)?.make(),
    stored: (id: number): void => {
      if (sum > mostSubmitted) drop(id);
    },
    drop,
  };
};
