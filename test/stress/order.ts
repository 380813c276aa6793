import type { StoreImage } from "../helpers/farm/store-audit.ts";

/**
 * The order of the design, word for word, over what a store says of the past: strict between priorities; within one,
 * jobs that have begun before those that have not, the one that waited longest for its next turn first, then the older
 * job; within a job the older task. Nothing of the farm's own ordering is used.
 */

/**
 * So long a task may be handed out after one that goes before it: what was chosen is not taken back while its claim is
 * on its way to the disk, where it may be held up and refused more than once, nor is a change of priority on its way to
 * the coordinator.
 */
export const orderBoundMs = 2500;

/**
 * Tasks that are given out within this time count as given out at once: each job's claim is decided in its own line, where it
 * may wait for rows of the store, or be decided again because a batch was refused.
 */
export const atOnceMs = 1000;

/** Somebody asked for another priority. Where nobody answered, it may hold from then on, or never have been heard. */
export type PriorityChange = {
  readonly jobId: number;
  readonly priority: number;
  readonly asked: number;
  readonly answered: number | undefined;
};

/** The task was chosen in its turn, but the disk refused to say so; it waits again. */
export type FailedClaim = { readonly taskId: number; readonly at: number };

/** The priorities that a job may have had at one moment or another between the two; the changes are its own, in order. */
export const prioritiesBetween = (
  submitted: number,
  changes: readonly PriorityChange[],
  from: number,
  to: number,
): readonly number[] => {
  let possible = [submitted];
  for (const { priority, asked, answered } of changes) {
    if (asked > to) break;
    possible = answered !== undefined && answered <= from ? [priority] : [...possible, priority];
  }
  return possible;
};

/** A change that was answered is kept: what the store says is one of the priorities that a job can have by now. */
export const lostPriorities = ({ jobs }: StoreImage, changes: readonly PriorityChange[]): string[] => {
  const byJob = Map.groupBy(changes, ({ jobId }) => jobId);
  const now = Number.POSITIVE_INFINITY;
  return jobs.flatMap(({ id, submitted, priority }) => {
    const possible = prioritiesBetween(submitted, byJob.get(id) ?? [], now, now);
    return possible.includes(priority)
      ? []
      : [`job ${id} has priority ${priority} instead of ${possible.join(" or ")}`];
  });
};

/** Tasks that a node was given while another one that it could do as well, and that goes first, had waited for long. */
export const wrongOrder = (
  store: StoreImage,
  changes: readonly PriorityChange[],
  failed: readonly FailedClaim[] = [],
): string[] => {
  const history = historyOf(store, changes);
  const waited = longWaiting(store);
  const claims = Map.groupBy(failed, ({ taskId }) => taskId);
  // While a claim is on its way to the disk, the task waits no more, until that is refused.
  const wasChosen = ({ task, at }: Given, given: Given) =>
    claims.get(task.id)?.some((claim) => claim.at >= given.at && claim.at <= at) ?? false;
  return givenOnce(store).flatMap((given) => {
    const goesFirst = (other: Given) =>
      isPassedOver(other, given) &&
      !wasChosen(other, given) &&
      history.isFit(other, given.node) &&
      history.goesFirst(other, given);
    const first = waited.find(goesFirst);
    return first
      ? [`task ${given.task.id} was given out before task ${first.task.id}: ${history.tell(first, given)}`]
      : [];
  });
};

/** Tasks that were ready for longer than the bound: without them an order cannot be wrong. */
export const longWaiting = (store: StoreImage): Given[] =>
  givenOnce(store).filter(({ task, at }) => at - task.ready_time > orderBoundMs);

type Task = StoreImage["tasks"][number];

/** A task that was given out once: of these alone the store says how long they were ready. */
type Given = { readonly task: Task; readonly at: number; readonly counter: number; readonly node: number };

/** Whether it had been ready for long, went on waiting, and needs no more of a node than the one that was given out. */
const isPassedOver = ({ task: a, at }: Given, { task: b, ...given }: Given): boolean =>
  a.ready_time < given.at - orderBoundMs &&
  at > given.at + atOnceMs &&
  a.weight === b.weight &&
  a.demand === b.demand &&
  a.requires === b.requires;

const givenOnce = ({ tasks, attempts }: StoreImage): Given[] => {
  const byTask = Map.groupBy(attempts, ({ task_id }) => task_id);
  return tasks.flatMap((task) => {
    const [only, more] = byTask.get(task.id) ?? [];
    return only && !more ? [{ task, at: only.assigned, counter: only.counter, node: only.node_id }] : [];
  });
};

const historyOf = ({ jobs, tasks, attempts, nodes }: StoreImage, changes: readonly PriorityChange[]) => {
  const jobOf = new Map(tasks.map(({ id, job_id }) => [id, job_id]));
  const turns = Map.groupBy(attempts, ({ task_id }) => jobOf.get(task_id));
  const submitted = new Map(jobs.map((job) => [job.id, job.submitted]));
  const changesOf = Map.groupBy(changes, ({ jobId }) => jobId);
  const tagsOf = new Map(nodes.map(({ id, tags }) => [id, new Set<string>(JSON.parse(tags))]));
  const needed = new Map<string, readonly string[]>();

  const tagsIn = (text: string): readonly string[] => {
    const known = needed.get(text) ?? JSON.parse(text);
    needed.set(text, known);
    return known;
  };
  const prioritiesOf = ({ job_id }: Task, at: number) =>
    prioritiesBetween(submitted.get(job_id) ?? 0, changesOf.get(job_id) ?? [], at - orderBoundMs, at);
  /** When the job had its last turn; 0: it had none; undefined: it had one just then. */
  const turnOf = ({ job_id }: Task, { at, counter }: Given): number | undefined => {
    const before = (turns.get(job_id) ?? []).filter((each) => each.counter < counter);
    const last = Math.max(0, ...before.map(({ assigned }) => assigned));
    return last > at - orderBoundMs ? undefined : last;
  };
  const goesFirstInPriority = (a: Task, b: Task, given: Given): boolean => {
    if (a.job_id === b.job_id) return a.id < b.id;
    const [x, y] = [turnOf(a, given), turnOf(b, given)];
    if (x === undefined || y === undefined) return false;
    if (y === 0) return x > 0 || a.job_id < b.job_id;
    return x > 0 && x < y - atOnceMs;
  };

  return {
    /** Whether the node has its tags, and no failure for which its job might avoid the node. */
    isFit: ({ task }: Given, node: number): boolean =>
      tagsIn(task.tags).every((tag) => tagsOf.get(node)?.has(tag)) &&
      !turns.get(task.job_id)?.some(({ node_id, state }) => node_id === node && state === "failed"),
    goesFirst: ({ task }: Given, given: Given): boolean => {
      const lowest = Math.min(...prioritiesOf(task, given.at));
      const highest = Math.max(...prioritiesOf(given.task, given.at));
      return lowest > highest || (lowest === highest && goesFirstInPriority(task, given.task, given));
    },
    tell: (first: Given, given: Given): string => {
      const [a, b] = [first, given].map(
        ({ task }) => `priority ${prioritiesOf(task, given.at).join(" or ")} of job ${task.job_id}`,
      );
      const waited = [given.at - first.task.ready_time, first.at - given.at];
      return `${b}, not ${a}, which had waited ${waited[0]} ms, and was given out ${waited[1]} ms later`;
    },
  };
};
