import { addTo, removeFrom } from "./heap.ts";
import type { OpenTask } from "./open-task.ts";
import type { Position } from "./order.ts";
import { createGroups, type Entry, type ReadySet } from "./ready-groups.ts";
import { createRoundRobin, type Turn } from "./round-robin.ts";

export type ReadyIndex = ReturnType<typeof createReadyIndex>;

/**
 * The ready tasks in memory: a list for each set of needs, in it the jobs in the order of their turns, in each job its
 * tasks by age. A node compares only the heads of the lists that it can serve, so long lists cost nothing.
 */
export const createReadyIndex = () => {
  const entries = new Map<number, Entry>();
  const groups = createGroups();
  const { take, ...turns } = createRoundRobin(groups);

  const remove = (taskId: number): void => {
    const entry = entries.get(taskId);
    if (!entry) return;
    entries.delete(taskId);
    removeFrom(entry.group.entries, entry);
    if (entry.group.entries.items.length === 0) groups.drop(entry.group);
  };

  return {
    add: (task: OpenTask): void => {
      remove(task.id);
      const group = groups.of(task);
      const entry: Entry = { task, group, at: 0 };
      entries.set(task.id, entry);
      addTo(group.entries, entry, task.id);
    },
    remove,
    /** Removes a task that a node is given. This counts as a turn of its job, unless the turn is given back. */
    take: ({ id, jobId }: OpenTask): Turn => {
      remove(id);
      return take(jobId);
    },
    ...turns,
    get: (taskId: number): OpenTask | undefined => entries.get(taskId)?.task,
    /** The position of the task, and its list. */
    find: (taskId: number): { readonly set: ReadySet; readonly position: Position } | undefined => {
      const entry = entries.get(taskId);
      return entry && { set: entry.group.list, position: entry };
    },
    sets: groups.lists,
    tasks: (): Iterable<Position> => entries.values(),
    size: (): number => entries.size,
    /** The priority of the task that goes last. */
    lowestPriority: groups.lowestPriority,
    ofJob: (jobId: number): OpenTask[] =>
      (groups.job(jobId)?.groups ?? []).flatMap((group) => group.entries.items.map(({ task }) => task)),
    /** The job has ended. */
    forgetJob: groups.forgetJob,
  };
};
