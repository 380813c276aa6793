import { keptIn } from "../../shared/kept.ts";
import { addTo, type Heap, newHeap, type Placed, removeFrom, settleIn } from "./heap.ts";
import { type Needs, needsKey } from "./needs.ts";
import type { OpenTask } from "./open-task.ts";
import { type Position, rankOf } from "./order.ts";
import { type JobTurns, keepTurn, lastTurnOf, type Turn, takeTurn, withdrawTurn } from "./turns.ts";

export type ReadyIndex = ReturnType<typeof createReadyIndex>;

export type ReadySet = {
  readonly key: string;
  readonly needs: Needs;
  /** The task that goes first; a set without tasks is not listed. */
  readonly head: () => Position;
  /** Its tasks, in no order. */
  readonly all: () => OpenTask[];
};

type Job = { readonly id: number; readonly turns: JobTurns; readonly groups: Group[] };
type Entry = Placed & Position & { readonly group: Group };
/** Tasks of one job that have the same priority and needs. */
type Group = Placed & {
  rank: number;
  readonly priority: number;
  readonly job: Job;
  readonly list: List;
  readonly entries: Heap<Entry>;
};
type List = ReadySet & { readonly groups: Heap<Group> };

/**
 * The ready tasks in memory: a list for each set of needs, in it the jobs in the order of their turns, in each job its
 * tasks by age. A node compares only the heads of the lists that it can serve, so long lists cost nothing.
 */
export const createReadyIndex = () => {
  const entries = new Map<number, Entry>();
  const lists = new Map<string, List>();
  const jobs = new Map<number, Job>();
  /** The number of groups of each priority. */
  const priorities = new Map<number, number>();
  let newest = 0;

  const jobOf = (jobId: number): Job => keptIn(jobs, jobId, (id) => ({ id, turns: { kept: 0, open: [] }, groups: [] }));
  const groupOf = (task: OpenTask): Group => {
    const job = jobOf(task.jobId);
    const list = keptIn(lists, needsKey(task), (key) => newList(key, task));
    const known = job.groups.find((group) => group.list === list && group.priority === task.priority);
    if (known) return known;
    count(task.priority, 1);
    return newGroup(job, list, task.priority);
  };
  const count = (priority: number, by: number): void => {
    const n = (priorities.get(priority) ?? 0) + by;
    if (n > 0) priorities.set(priority, n);
    else priorities.delete(priority);
  };

  const remove = (taskId: number): void => {
    const entry = entries.get(taskId);
    if (!entry) return;
    entries.delete(taskId);
    removeFrom(entry.group.entries, entry);
    if (entry.group.entries.items.length === 0) drop(entry.group);
  };
  const drop = (group: Group): void => {
    const { job, list } = group;
    removeFrom(list.groups, group);
    count(group.priority, -1);
    if (list.groups.items.length === 0) lists.delete(list.key);
    job.groups.splice(job.groups.indexOf(group), 1);
    dropJob(job);
  };
  /** A job without a turn so far is known by its tasks alone. */
  const dropJob = ({ id, turns, groups }: Job): void => {
    if (lastTurnOf(turns) === 0 && groups.length === 0) jobs.delete(id);
  };

  return {
    add: (task: OpenTask): void => {
      remove(task.id);
      const group = groupOf(task);
      const entry: Entry = { task, group, at: 0 };
      entries.set(task.id, entry);
      addTo(group.entries, entry, task.id);
    },
    remove,
    /** Removes a task that a node is given. This counts as a turn of its job, unless the turn is given back. */
    take: ({ id, jobId }: OpenTask): Turn => {
      remove(id);
      const job = jobOf(jobId);
      newest += 1;
      takeTurn(job.turns, newest);
      rankAnew(job);
      return { jobId, nr: newest };
    },
    /** The claim is durable. */
    keepTurn: ({ jobId, nr }: Turn): void => {
      const job = jobs.get(jobId);
      if (job) keepTurn(job.turns, nr);
    },
    /** The claim failed: the job is due as if it had not had this turn. The caller adds the task again. */
    giveBackTurn: ({ jobId, nr }: Turn): void => {
      const job = jobs.get(jobId);
      if (!job) return;
      withdrawTurn(job.turns, nr);
      rankAnew(job);
      dropJob(job);
    },
    get: (taskId: number): OpenTask | undefined => entries.get(taskId)?.task,
    /** The position of the task, and its list. */
    find: (taskId: number): { readonly set: ReadySet; readonly position: Position } | undefined => {
      const entry = entries.get(taskId);
      return entry && { set: entry.group.list, position: entry };
    },
    sets: (): Iterable<ReadySet> => lists.values(),
    tasks: (): Iterable<Position> => entries.values(),
    size: (): number => entries.size,
    /** The priority of the task that goes last. */
    lowestPriority: (): number | undefined => {
      const lowest = Math.min(...priorities.keys());
      return Number.isFinite(lowest) ? lowest : undefined;
    },
    ofJob: (jobId: number): OpenTask[] =>
      (jobs.get(jobId)?.groups ?? []).flatMap((group) => group.entries.items.map(({ task }) => task)),
    /** The last stored turn of each job. Call it before anything is added. */
    recallTurns: (turns: Iterable<readonly [jobId: number, turn: number]>): void => {
      for (const [jobId, turn] of turns) {
        jobOf(jobId).turns.kept = turn;
        newest = Math.max(newest, turn);
      }
    },
    /** The job has ended. */
    forgetJob: (jobId: number): void => {
      if (jobs.get(jobId)?.groups.length === 0) jobs.delete(jobId);
    },
  };
};

const rankAnew = ({ id, turns, groups }: Job): void => {
  const turn = lastTurnOf(turns);
  for (const group of groups) {
    group.rank = rankOf(group.priority, turn, id);
    settleIn(group.list.groups, group, group.rank);
  }
};

const newList = (key: string, { weight, tags, requires, demand, avoids }: OpenTask): List => {
  const groups = newHeap<Group>();
  return {
    key,
    needs: { weight, tags, requires, demand, avoids },
    head: () => headOf(headOf(groups).entries),
    all: () => groups.items.flatMap(({ entries }) => entries.items.map(({ task }) => task)),
    groups,
  };
};

const newGroup = (job: Job, list: List, priority: number): Group => {
  const rank = rankOf(priority, lastTurnOf(job.turns), job.id);
  const group = { rank, priority, job, list, entries: newHeap<Entry>(), at: 0 };
  addTo(list.groups, group, group.rank);
  job.groups.push(group);
  return group;
};

const headOf = <T extends Placed>({ items }: Heap<T>): T => items[0] as T; // empty groups and lists are not kept
