import type { OpenTask } from "./open-task.ts";

/** Where one task stands, and the rank of all that its job has ready of its priority: the lower goes first. */
export type Standing = { readonly group: { readonly rank: number }; readonly task: OpenTask };

/** Whether `a` goes first. Within one job and priority the older task does. */
export const goesBefore = (a: Standing, b: Standing): boolean => {
  const [x, y] = [a.group.rank, b.group.rank];
  return x === y ? a.task.id < b.task.id : x < y;
};

/** Priorities end at 254. With turns and ids below it, a rank is a number without a fraction still. */
const [ranks, highest] = [2 ** 45, 255];

/**
 * Strictly by priority; within one, jobs that have begun before those that have not, the one that has waited longest for
 * its next turn first, then the older one. `turn` rises with every task that is given out; 0: the job had none yet.
 */
export const rankOf = (priority: number, turn: number, jobId: number): number =>
  (highest - priority) * ranks + (turn > 0 ? turn : ranks / 2 + jobId);
