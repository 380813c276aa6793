import type { JobValue } from "./job-value.ts";

/** Bytes of stored jobs that wait here to begin. */
const most = 16e6;

type Submitted = { readonly bytes: number; readonly make: () => JobValue };

/**
 * Submitted jobs that have not begun. Most of them only wait, so their values are made when they begin. Of those that
 * are stored, only the ones that begin first stay in memory; the others are loaded again.
 */
export const createSubmitted = () => {
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
      if (sum > most) drop(id);
    },
    drop,
  };
};
