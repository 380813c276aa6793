import { causes } from "../../shared/causes.ts";
import { next } from "../../shared/state/machine.ts";
import { type NodeHealthEvent, nodeHealthMachine } from "../../shared/state/node.ts";
import type { NodeRow } from "../db/nodes.ts";
import {
  afterEnding,
  avoidedBy,
  type Ending,
  isDistrusted,
  quarantineAfter,
  type Reputation,
  unknown,
} from "../schedule/blame.ts";
import type { Changes, Farm } from "./farm.ts";

/** Which failures speak against which nodes, in memory: for one job, and for the whole farm. */
export type BlameBook = ReturnType<typeof createBlameBook>;

export const createBlameBook = () => {
  const failures = new Map<number, Ending[]>();
  const reputations = new Map<number, Reputation>();
  const noteForJob = (ending: Ending): void => {
    const { jobId, cause } = ending;
    if (cause === undefined || causes[cause].where === "anywhere") return;
    const known = failures.get(jobId);
    if (known) known.push(ending);
    else failures.set(jobId, [ending]);
  };
  const noteForNode = (ending: Ending): void => {
    reputations.set(ending.nodeId, afterEnding(reputations.get(ending.nodeId) ?? unknown, ending));
  };

  return {
    noteForJob,
    noteForNode,
    note: (ending: Ending): void => {
      noteForNode(ending);
      noteForJob(ending);
    },
    avoidedBy: (jobId: number, taskId: number): readonly number[] => {
      const known = failures.get(jobId);
      return known ? avoidedBy(taskId, known) : none;
    },
    hasFailures: (jobId: number): boolean => failures.has(jobId),
    forgetJob: (jobId: number): void => {
      failures.delete(jobId);
    },
    /** What was held against it counts no more. */
    forgetNode: (nodeId: number): void => {
      reputations.delete(nodeId);
    },
    reputation: (nodeId: number): Reputation => reputations.get(nodeId) ?? unknown,
  };
};

const none: readonly number[] = [];

/** So far back a start of the coordinator looks for what its nodes have done. */
const remembered = 10_000;

/** What the last life of the coordinator held against nodes; what was forgiven, or atoned for, stays so. */
export const recallBlame = ({ blame, stores, clock, registry }: Farm): void => {
  const steadyOf = (wall: number) => Math.min(clock.steady(), wall - clock.now() + clock.steady());
  for (const ending of stores.attempts.failuresOfOpenJobs()) blame.noteForJob(ending);
  for (const ending of stores.attempts.lastEndings(remembered)) {
    const at = steadyOf(ending.at);
    const since = registry.row(ending.nodeId)?.health.since ?? Number.NEGATIVE_INFINITY;
    if (at > since) blame.noteForNode({ ...ending, at });
  }
};

/** Judges the node by how an attempt ended there. Called within the commit that takes the report. */
export const judgeNode = (farm: Farm, changes: Changes, ending: Ending): void => {
  changes.endings.push(ending);
  const row = farm.registry.row(ending.nodeId);
  if (!row) return;
  if (row.health.state === "probation") {
    if (ending.cause === undefined) moveHealth(farm, changes, row, "succeed");
    else if (causes[ending.cause].blamesNode) moveHealth(farm, changes, row, "fail");
    return;
  }
  if (ending.cause === undefined) return;
  const reputation = afterEnding(farm.blame.reputation(row.id), ending);
  const others = farm.registry.othersAtWork(row.id).map((id) => farm.blame.reputation(id));
  if (isDistrusted(reputation, others)) moveHealth(farm, changes, row, "distrust");
};

/** Quarantines that are over: such a node is tried with one task. */
export const endQuarantines = async (farm: Farm): Promise<void> => {
  const now = farm.clock.steady();
  const due = farm.registry.rows().filter(({ health }) => health.state === "quarantined" && health.until <= now);
  if (due.length === 0) return;
  await farm.change((changes) => {
    for (const row of due) moveHealth(farm, changes, row, "due");
  });
};

/** Writes down the node's health after the event, where it means something. */
export const moveHealth = (farm: Farm, changes: Changes, row: NodeRow, event: NodeHealthEvent): void => {
  const state = next(nodeHealthMachine, row.health.state, event);
  if (state === undefined) return;
  const now = farm.clock.steady();
  const { since, strikes, until, why } = row.health;
  const quarantine = quarantineAfter(strikes, since, now);
  const after = {
    quarantined: { state, since: now, why: whys[event] ?? why, ...quarantine },
    probation: { state, since, why, strikes, until },
    sound: { state, since, why: null, strikes: event === "forgive" ? 0 : strikes, until },
  };
  farm.stores.nodes.setHealth(row.id, after[state]);
  changes.nodes.add(row.id);
  farm.log.warn({ node: row.id, name: row.profile.name, event }, `node is ${state}`);
};

const whys: Partial<Record<NodeHealthEvent, string>> = {
  distrust: "It kept failing tasks of several jobs while other nodes succeeded",
  fail: "It failed again when it was tried with one task",
};
