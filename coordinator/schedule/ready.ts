import type { OpenTask } from "../db/tasks.ts";

/**
 * The ready tasks in memory, one list for each set of needs (tags, requirements, weight), best first: higher priority,
 * then started jobs, then age. A node looks at the heads of the sets it can serve; its cost does not depend on the others.
 */
export type ReadySet = {
  readonly needs: { readonly tags: readonly string[]; readonly requires: readonly string[] };
  readonly weight: OpenTask["weight"];
  readonly head: () => OpenTask | undefined;
};

export type ReadyIndex = {
  readonly add: (task: OpenTask) => void;
  readonly remove: (taskId: number) => void;
  readonly get: (taskId: number) => OpenTask | undefined;
  readonly sets: () => Iterable<ReadySet>;
  readonly size: () => number;
};

export const createReadyIndex = (): ReadyIndex => {
  const tasks = new Map<number, OpenTask>();
  const sets = new Map<string, { needs: ReadySet["needs"]; weight: OpenTask["weight"]; heap: OpenTask[] }>();

  const headOf = (key: string, heap: OpenTask[]): OpenTask | undefined => {
    // Removal is lazy: an entry counts only while it is the task's current one.
    while (heap[0] && tasks.get(heap[0].id) !== heap[0]) pop(heap);
    if (heap.length === 0) sets.delete(key);
    return heap[0];
  };

  return {
    add: (task) => {
      tasks.set(task.id, task);
      const key = keyOf(task);
      const set = sets.get(key) ?? {
        needs: { tags: task.tags, requires: task.requires },
        weight: task.weight,
        heap: [],
      };
      sets.set(key, set);
      push(set.heap, task);
    },
    remove: (taskId) => {
      tasks.delete(taskId);
    },
    get: (taskId) => tasks.get(taskId),
    size: () => tasks.size,
    *sets() {
      for (const [key, { needs, weight, heap }] of sets) {
        const head = () => headOf(key, heap);
        if (head()) yield { needs, weight, head };
      }
    },
  };
};

const keyOf = ({ tags, requires, weight }: OpenTask): string =>
  JSON.stringify([weight, [...tags].sort(), [...requires].sort()]);

/** Whether `a` goes first. */
export const goesBefore = (a: OpenTask, b: OpenTask): boolean => {
  if (a.priority !== b.priority) return a.priority > b.priority;
  return a.jobId === b.jobId ? a.id < b.id : a.jobId < b.jobId;
};

const push = (heap: OpenTask[], task: OpenTask): void => {
  let at = heap.push(task) - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!swapIfBefore(heap, at, parent)) return;
    at = parent;
  }
};

const pop = (heap: OpenTask[]): void => {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  heap[0] = last;
  let at = 0;
  for (;;) {
    const left = 2 * at + 1;
    const best = isBefore(heap, left + 1, left) ? left + 1 : left;
    if (!swapIfBefore(heap, best, at)) return;
    at = best;
  }
};

const isBefore = (heap: readonly OpenTask[], a: number, b: number): boolean => {
  const [first, second] = [heap[a], heap[b]];
  return first !== undefined && second !== undefined && goesBefore(first, second);
};

const swapIfBefore = (heap: OpenTask[], a: number, b: number): boolean => {
  const [first, second] = [heap[a], heap[b]];
  if (first === undefined || second === undefined || !goesBefore(first, second)) return false;
  heap[a] = second;
  heap[b] = first;
  return true;
};
