import { getOrInsert } from "../../shared/basics/get-or-insert.ts";
import { addTo, type Heap, newHeap, type Placed, removeFrom } from "./heap.ts";
import { type Needs, needsKey } from "./needs.ts";
import type { OpenTask } from "./open-task.ts";
import { type Position, rankOf } from "./order.ts";

export type ReadySet = {
  readonly key: string;
  readonly needs: Needs;
  /** The task that goes first; a set without tasks is not listed. */
  readonly head: () => Position;
  /** Its tasks, in no order. */
  readonly all: () => OpenTask[];
};

/** The turns of one job: the last one that is kept, and those of claims that are not durable yet, oldest first. */
type JobTurns = { kept: number; readonly open: number[] };

/** 0: the job had none yet. */
export const lastTurnOf = ({ kept, open }: JobTurns): number => Math.max(kept, open.at(-1) ?? 0);

export type Job = { readonly id: number; readonly turns: JobTurns; readonly groups: Group[] };
export type Entry = Placed & Position & { readonly group: Group };
/** Tasks of one job that have the same priority and needs. */
export type Group = Placed & {
  rank: number;
  readonly priority: number;
  readonly job: Job;
  readonly list: List;
  readonly entries: Heap<Entry>;
};
type List = ReadySet & { readonly groups: Heap<Group> };

/** Ready tasks in groups: those of one job that have the same priority and needs. Empty groups are not kept. */
export const createGroups = () => {
  const lists = new Map<string, List>();
  const jobs = new Map<number, Job>();
  /** The number of groups of each priority. */
  const priorities = new Map<number, number>();

  const jobOf = (jobId: number): Job =>
    getOrInsert(jobs, jobId, (id) => ({ id, turns: { kept: 0, open: [] }, groups: [] }));
  const count = (priority: number, by: number): void => {
    const n = (priorities.get(priority) ?? 0) + by;
    if (n > 0) priorities.set(priority, n);
    else priorities.delete(priority);
  };
  /** A job without a turn so far is known by its tasks alone. */
  const dropJob = ({ id, turns, groups }: Job): void => {
    if (lastTurnOf(turns) === 0 && groups.length === 0) jobs.delete(id);
  };

  return {
    /** The group that a task belongs to; new if need be. */
    of: (task: OpenTask): Group => {
      const job = jobOf(task.jobId);
      const list = getOrInsert(lists, needsKey(task), (key) => newList(key, task));
      const known = job.groups.find((group) => group.list === list && group.priority === task.priority);
      if (known) return known;
      count(task.priority, 1);
      return newGroup(job, list, task.priority);
    },
    drop: (group: Group): void => {
      const { job, list } = group;
      removeFrom(list.groups, group);
      count(group.priority, -1);
      if (list.groups.items.length === 0) lists.delete(list.key);
      job.groups.splice(job.groups.indexOf(group), 1);
      dropJob(job);
    },
    /** A job that is known, or becomes known now. */
    jobOf,
    job: (jobId: number): Job | undefined => jobs.get(jobId),
    dropJob,
    /** Forgets a job without tasks, with its turns. */
    forgetJob: (jobId: number): void => {
      if (jobs.get(jobId)?.groups.length === 0) jobs.delete(jobId);
    },
    lists: (): Iterable<ReadySet> => lists.values(),
    lowestPriority: (): number | undefined => {
      const lowest = Math.min(...priorities.keys());
      return Number.isFinite(lowest) ? lowest : undefined;
    },
  };
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
