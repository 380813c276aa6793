import type { OpenTask } from "../db/open-tasks.ts";
import { createHeap, type Heap, type Placed } from "./heap.ts";
import { type Needs, needsKey } from "./needs.ts";
import { compareRanks, type Rank, type Standing } from "./order.ts";

/**
 * The ready tasks in memory: a list for each set of needs, in it the jobs in the order of their turns, in each job its
 * tasks by age. A node looks at the heads of the lists it can serve; what stands behind them costs nothing.
 */
export type ReadyIndex = {
  readonly add: (task: OpenTask) => void;
  readonly remove: (taskId: number) => void;
  /** Removes a task that a node is given: its job has had its turn. */
  readonly take: (task: OpenTask) => void;
  readonly get: (taskId: number) => OpenTask | undefined;
  /** Where the task stands, and in which list. */
  readonly find: (taskId: number) => { readonly set: ReadySet; readonly standing: Standing } | undefined;
  readonly sets: () => Iterable<ReadySet>;
  readonly tasks: () => Iterable<Standing>;
  readonly size: () => number;
  /** When each of these jobs had a task given out last, as the store knows it. Called before anything is added. */
  readonly recallTurns: (turns: Iterable<readonly [jobId: number, turn: number]>) => void;
  /** The job has ended. */
  readonly forgetJob: (jobId: number) => void;
};

export type ReadySet = {
  readonly key: string;
  readonly needs: Needs;
  /** The task that goes first; a set without tasks is not listed. */
  readonly head: () => Standing;
};

type Job = { turn: number; readonly groups: Set<Group> };
type Entry = Placed & Standing & { readonly rank: Group };
/** Tasks of one job that have the same priority and needs. */
type Group = Placed & Rank & { readonly job: Job; readonly list: List; readonly entries: Heap<Entry> };
type List = ReadySet & { readonly groups: Heap<Group>; readonly byPlace: Map<number, Group> };

export const createReadyIndex = (): ReadyIndex => {
  const entries = new Map<number, Entry>();
  const lists = new Map<string, List>();
  const jobs = new Map<number, Job>();
  let lastTurn = 0;

  const listOf = (task: OpenTask): List => kept(lists, needsKey(task), (key) => newList(key, task));
  const jobOf = (jobId: number): Job => kept(jobs, jobId, () => ({ turn: 0, groups: new Set() }));
  const groupOf = (task: OpenTask): Group => {
    const list = listOf(task);
    return kept(list.byPlace, placeOf(task), () => newGroup(list, jobOf(task.jobId), task));
  };

  const remove = (taskId: number): void => {
    const entry = entries.get(taskId);
    if (!entry) return;
    entries.delete(taskId);
    const { rank: group } = entry;
    group.entries.remove(entry);
    if (group.entries.size() > 0) return;
    const { list, job } = group;
    list.groups.remove(group);
    list.byPlace.delete(placeOf(group));
    if (list.groups.size() === 0) lists.delete(list.key);
    job.groups.delete(group);
    // A job without a turn so far is known by its tasks alone.
    if (job.turn === 0 && job.groups.size === 0) jobs.delete(group.jobId);
  };

  return {
    add: (task) => {
      remove(task.id);
      const group = groupOf(task);
      const entry: Entry = { task, rank: group, at: 0 };
      entries.set(task.id, entry);
      group.entries.add(entry);
      if (group.entries.size() > 1) return;
      group.list.groups.add(group);
      group.job.groups.add(group);
    },
    remove,
    take: ({ id, jobId }) => {
      remove(id);
      const job = jobOf(jobId);
      lastTurn += 1;
      job.turn = lastTurn;
      for (const group of job.groups) group.list.groups.settle(group);
    },
    get: (taskId) => entries.get(taskId)?.task,
    find: (taskId) => {
      const entry = entries.get(taskId);
      return entry && { set: entry.rank.list, standing: entry };
    },
    sets: () => lists.values(),
    tasks: () => entries.values(),
    size: () => entries.size,
    recallTurns: (turns) => {
      for (const [jobId, turn] of turns) {
        jobOf(jobId).turn = turn;
        lastTurn = Math.max(lastTurn, turn);
      }
    },
    forgetJob: (jobId) => {
      if (jobs.get(jobId)?.groups.size === 0) jobs.delete(jobId);
    },
  };
};

const newList = (key: string, { weight, tags, requires, demand, avoids }: OpenTask): List => {
  const groups = createHeap<Group>((a, b) => compareRanks(a, b) < 0);
  return {
    key,
    needs: { weight, tags, requires, demand, avoids },
    head: () => headOf(headOf(groups).entries),
    groups,
    byPlace: new Map(),
  };
};

const newGroup = (list: List, job: Job, { priority, jobId }: OpenTask): Group => ({
  list,
  job,
  priority,
  jobId,
  get turn() {
    return job.turn;
  },
  entries: createHeap<Entry>((a, b) => a.task.id < b.task.id),
  at: 0,
});

/** A job and a priority as one number: priorities end at 254. */
const placeOf = ({ jobId, priority }: { readonly jobId: number; readonly priority: number }): number =>
  jobId * 1000 + priority;

const headOf = <T extends Placed>(heap: Heap<T>): T => heap.head() as T; // empty groups and lists are not kept

const kept = <K, V>(map: Map<K, V>, key: K, make: (key: K) => V): V => {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make(key);
  map.set(key, made);
  return made;
};
