import { type Cause, causes } from "../../shared/causes.ts";

/** How an attempt ended on a node: the cause of its failure, or undefined where it went well. */
export type Ending = {
  readonly nodeId: number;
  readonly jobId: number;
  readonly taskId: number;
  readonly cause: Cause | undefined;
  readonly at: number;
};

/** Failures of one job on one node that make all of the job's tasks avoid it. */
const jobStrikes = 3;

/** The nodes on which a task should not run again, from the failures of its job. In the order of their ids. */
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

/** What is remembered of a node: what speaks against it since its last success, and when that was. */
export type Reputation = {
  readonly failures: readonly { readonly jobId: number; readonly at: number }[];
  readonly succeeded: number | undefined;
};

export const unknown: Reputation = { failures: [], succeeded: undefined };

/** Failures in a row that put a node into quarantine: of two jobs at least, so that no job alone can do it. */
const nodeStrikes = 4;

export const afterEnding = (
  before: Reputation,
  { jobId, cause, at }: Omit<Ending, "nodeId" | "taskId">,
): Reputation => {
  if (cause === undefined) return { failures: [], succeeded: at };
  if (!causes[cause].blamesNode) return before;
  return { ...before, failures: [...before.failures.slice(1 - nodeStrikes), { jobId, at }] };
};

/**
 * Whether a node is to be taken out: it failed again and again, for several jobs, in a time in which another one that
 * works succeeded. Otherwise the fault lies with the jobs, or with what all nodes share.
 */
export const isDistrusted = ({ failures }: Reputation, others: Iterable<Reputation>): boolean => {
  const [first] = failures;
  if (!first || failures.length < nodeStrikes || new Set(failures.map(({ jobId }) => jobId)).size < 2) return false;
  return [...others].some(({ succeeded }) => succeeded !== undefined && succeeded >= first.at);
};

const minute = 60_000;
const day = 24 * 60 * minute;

export type Quarantine = { readonly strikes: number; readonly until: number };

/** Ten minutes, twice as long each time that it follows within a day of the last one, four hours at most. */
export const quarantineAfter = (strikes: number, since: number | null, now: number): Quarantine => {
  const count = since !== null && now - since < day ? strikes + 1 : 1;
  return { strikes: count, until: now + Math.min(240, 10 * 2 ** (count - 1)) * minute };
};
