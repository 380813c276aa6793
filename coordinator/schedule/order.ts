import type { OpenTask } from "../db/open-tasks.ts";

/** Where the tasks of one job and priority stand among others. */
export type Rank = {
  readonly priority: number;
  /** Rises with every task that is given out; 0 for a job of which none was yet. */
  readonly turn: number;
  readonly jobId: number;
};

/** Where one task stands. */
export type Standing = { readonly rank: Rank; readonly task: OpenTask };

/** Whether `a` goes first. Within one job and priority the older task does. */
export const goesBefore = (a: Standing, b: Standing): boolean => {
  const order = compareRanks(a.rank, b.rank);
  return order === 0 ? a.task.id < b.task.id : order < 0;
};

/**
 * Below zero where `a` goes first: strictly by priority; within one, jobs that have begun before those that have not,
 * the one that has waited longest for its next turn first, then the older one.
 */
export const compareRanks = (a: Rank, b: Rank): number => {
  if (a.priority !== b.priority) return b.priority - a.priority;
  if (a.turn !== b.turn) {
    if (a.turn === 0) return 1;
    return b.turn === 0 ? -1 : a.turn - b.turn;
  }
  return a.jobId - b.jobId;
};
