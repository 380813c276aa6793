import type { Ending } from "../../../shared/model/attempt.ts";
import { causes } from "../../../shared/model/failure.ts";

/** After this many failures of one job on one node, all of the job's tasks avoid it. */
const jobStrikes = 3;

/** The nodes on which a task should not run again, because of failures of its job. Sorted by id. */
export const avoidedBy = (taskId: number, failures: readonly Ending[]): number[] => {
  const avoided = new Set<number>();
  const strikes = new Map<number, number>();
  for (const { nodeId, taskId: failed, cause } of failures) {
    if (cause === undefined) continue;
    const { where, blamesNode } = causes[cause];
    if (failed === taskId && where === "elsewhere") avoided.add(nodeId);
    if (!blamesNode) continue;
    const count = (strikes.get(nodeId) ?? 0) + 1;
    strikes.set(nodeId, count);
    if (count >= jobStrikes) avoided.add(nodeId);
  }
  return [...avoided].sort((a, b) => a - b);
};

/** A task that failed on so many nodes for causes that blame them is itself what fails. */
const nodesOfOneTask = 3;

/** Whether the failures of a task, the latest of which may not be among them, speak against the task and not its nodes. */
export const isOwnFault = (
  { taskId, nodeId }: Pick<Ending, "taskId" | "nodeId">,
  ofJob: readonly Ending[],
): boolean => {
  const blamed = ofJob.filter((each) => each.taskId === taskId && each.cause && causes[each.cause].blamesNode);
  return new Set([nodeId, ...blamed.map((each) => each.nodeId)]).size >= nodesOfOneTask;
};

type Success = Pick<Ending, "sender" | "at">;
type Failed = Pick<Ending, "jobId" | "taskId" | "sender" | "at"> & {
  /** Another node did the same task afterwards. */
  readonly isElsewhere?: true;
};

/** A node's record: failures since its last success, and that success, with the last one of a job of another sender. */
export type NodeReputation = { readonly failures: readonly Failed[]; readonly succeeded: readonly Success[] };

export const unknownReputation: NodeReputation = { failures: [], succeeded: [] };

/**
 * Consecutive failures that quarantine a node; they must come from at least two jobs, so that no single job can do it.
 */
const nodeStrikes = 4;
/** So many of them count, though they are all one sender's, if other nodes did the same tasks. */
const tasksElsewhere = 2;

export const afterEnding = (
  before: NodeReputation,
  { jobId, taskId, sender, cause, at }: Omit<Ending, "nodeId">,
): NodeReputation => {
  if (cause === undefined) {
    const others = before.succeeded.filter((each) => each.sender !== sender);
    return { failures: [], succeeded: [{ sender, at }, ...others.slice(0, 1)] };
  }
  if (!causes[cause].blamesNode) return before;
  return { ...before, failures: [...before.failures.slice(1 - nodeStrikes), { jobId, taskId, sender, at }] };
};

/** The record of a node after another one did this task. */
export const afterElsewhere = (before: NodeReputation, { jobId, taskId }: Pick<Ending, "jobId" | "taskId">) => ({
  ...before,
  failures: before.failures.map((each) =>
    each.jobId === jobId && each.taskId === taskId ? ({ ...each, isElsewhere: true } as const) : each,
  ),
});

/**
 * Whether to quarantine a node: it failed repeatedly, for several jobs, while another node succeeded. Otherwise the
 * fault lies with the jobs, or with something all nodes share. Where others' jobs do well meanwhile, one sender's alone do
 * not take the node from them, unless the same tasks went well on other nodes: whoever writes to a folder that is read-only
 * would end the farm.
 */
export const isDistrusted = ({ failures }: NodeReputation, others: Iterable<NodeReputation>): boolean => {
  const [first] = failures;
  if (!first || failures.length < nodeStrikes || new Set(failures.map(({ jobId }) => jobId)).size < 2) return false;
  const successes = [...others].flatMap(({ succeeded }) => succeeded.filter(({ at }) => at >= first.at));
  const senders = new Set(failures.map(({ sender }) => sender));
  const isOfMany = senders.size > 1 || successes.every(({ sender }) => senders.has(sender));
  const isConfirmed = failures.filter(({ isElsewhere }) => isElsewhere).length >= tasksElsewhere;
  return successes.length > 0 && (isOfMany || isConfirmed);
};

/** Breaches of the protocol within an hour that quarantine a node: fewer may be an accident of its network or version. */
export const mostBreaches = 3;
const breachesWithinMs = 3_600_000;

/** When a node broke its protocol, in monotonic milliseconds: the ones that still count, the last one added. */
export const afterBreach = (before: readonly number[], at: number): number[] => [
  ...before.filter((each) => at - each < breachesWithinMs).slice(1 - mostBreaches),
  at,
];

/** Tasks that a node may give back within ten minutes: its owner comes and goes, and each time it may run dozens. */
export const mostReturns = 200;
const returnsWithinMs = 600_000;

/** When a node gave tasks back, in monotonic milliseconds: the times that still count, the last one added. */
export const afterReturn = (before: readonly number[], at: number): number[] => [
  ...before.filter((each) => at - each < returnsWithinMs).slice(1 - mostReturns),
  at,
];

export const isTooManyReturns = (returns: readonly number[]): boolean => returns.length >= mostReturns;

export const isTooManyBreaches = (breaches: readonly number[]): boolean => breaches.length >= mostBreaches;

const minute = 60_000;
const day = 24 * 60 * minute;

export type Quarantine = { readonly strikes: number; readonly until: number };

/** Ten minutes, doubled each time if the last one ended less than a day ago, four hours at most. */
export const quarantineAfter = (strikes: number, since: number | null, now: number): Quarantine => {
  const count = since !== null && now - since < day ? strikes + 1 : 1;
  return { strikes: count, until: now + Math.min(240, 10 * 2 ** (count - 1)) * minute };
};
