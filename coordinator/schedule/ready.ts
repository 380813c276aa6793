import { createGroups, type Entry, type Job, type ReadySet } from "./groups.ts";
import { addTo, removeFrom, settleIn } from "./heap.ts";
import type { OpenTask } from "./open-task.ts";
import { type Position, rankOf } from "./order.ts";
import { keepTurn, lastTurnOf, type Turn, takeTurn, withdrawTurn } from "./turns.ts";

export type ReadyIndex = ReturnType<typeof createReadyIndex>;

/**
 * The ready tasks in memory: a list for each set of needs, in it the jobs in the order of their turns, in each job its
 * tasks by age. A node compares only the heads of the lists that it can serve, so long lists cost nothing.
 */
export const createReadyIndex = () => {
  const entries = new Map<number, Entry>();
  const groups = createGroups();
  let newest = 0;

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
      const job = groups.jobOf(jobId);
      newest += 1;
      takeTurn(job.turns, newest);
      rankAnew(job);
      return { jobId, nr: newest };
    },
    /** The claim is durable. */
    keepTurn: ({ jobId, nr }: Turn): void => {
      const job = groups.job(jobId);
      if (job) keepTurn(job.turns, nr);
    },
    /** The claim failed: the job is due as if it had not had this turn. The caller adds the task again. */
    giveBackTurn: ({ jobId, nr }: Turn): void => {
      const job = groups.job(jobId);
      if (!job) return;
      withdrawTurn(job.turns, nr);
      rankAnew(job);
      groups.dropJob(job);
    },
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
    /** The last stored turn of each job. Call it before anything is added. */
    recallTurns: (turns: Iterable<readonly [jobId: number, turn: number]>): void => {
      for (const [jobId, turn] of turns) {
        groups.jobOf(jobId).turns.kept = turn;
        newest = Math.max(newest, turn);
      }
    },
    /** The job has ended. */
    forgetJob: groups.forgetJob,
  };
};

const rankAnew = ({ id, turns, groups }: Job): void => {
  const turn = lastTurnOf(turns);
  for (const group of groups) {
    group.rank = rankOf(group.priority, turn, id);
    settleIn(group.list.groups, group, group.rank);
  }
};
