import type { OpenTask } from "./open-task.ts";

/** The position of one task, and the rank of its job's ready tasks of that priority; lower goes first. */
export type Position = { readonly group: { readonly rank: number }; readonly task: OpenTask };

/** Whether `a` goes first. Within one job and priority, the older task does. */
export const goesBefore = (a: Position, b: Position): boolean => {
  const [x, y] = [a.group.rank, b.group.rank];
  return x === y ? a.task.id < b.task.id : x < y;
};

/** Priorities end at 254, so with turns and ids below it a rank is still an exact integer. */
const [ranks, highest] = [2 ** 45, 255];

/**
 * Strictly by priority. Within a priority: jobs that have begun before those that have not, then the job that has
 * waited longest for its next turn, then the older one. `turn` rises with every assigned task; 0: the job had none yet.
 */
export const rankOf = (priority: number, turn: number, jobId: number): number =>
  (highest - priority) * ranks + (turn > 0 ? turn : ranks / 2 + jobId);
