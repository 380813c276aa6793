import type { Ending } from "../../../shared/model/attempt.ts";
import { causes } from "../../../shared/model/failure.ts";
import { next } from "../../../shared/state/machine.ts";
import { type NodeHealthEvent, nodeHealthMachine, quarantineReasons } from "../../../shared/state/node.ts";
import type { Transaction } from "../../kernel/transaction.ts";
import type { NodeRow } from "../../store/rows.ts";
import type { Recalled } from "../../store/store.ts";
import type { Nodes } from "../nodes.ts";
import { withAvoided } from "./health-record.ts";
import { afterEnding, isDistrusted, quarantineAfter } from "./health-rules.ts";

/** Restores the blame recorded before a restart; forgiven or cleared failures stay cleared. */
export const recallHealth = (
  { health, clock, registry }: Pick<Nodes, "clock" | "registry" | "health">,
  { failures, endings }: Pick<Recalled, "failures" | "endings">,
): void => {
  const steadyOf = (wall: number) => Math.min(clock.steady(), wall - clock.now() + clock.steady());
  for (const ending of failures) health.noteForJob(ending);
  for (const ending of endings) {
    const at = steadyOf(ending.at);
    const since = registry.row(ending.nodeId)?.health.since ?? Number.NEGATIVE_INFINITY;
    if (at > since) health.noteForNode({ ...ending, at });
  }
};

/** Judges the node by how an attempt ended, within the decision that takes the report. */
export const judgeNode = (farm: Nodes, draft: Transaction, ending: Ending): void => {
  const row = draft.node(ending.nodeId);
  if (row && row.revoked === null && !farm.health.speaksAgainstTask(ending)) moveBy(farm, draft, row, ending);
  const takeBack = noteEnding(farm, ending);
  draft.undo(takeBack);
};

/** If the whole job begins to avoid a node, its waiting tasks move to other lists. Returns the undo. */
const noteEnding = (farm: Pick<Nodes, "ready" | "health">, ending: Ending): (() => void) => {
  const { jobId } = ending;
  const avoided = () => farm.health.avoidedBy(jobId, noTask).length;
  const before = avoided();
  const forget = farm.health.note(ending);
  const isMoved = avoided() !== before;
  if (isMoved) refreshAvoided(farm, jobId);
  return () => {
    forget();
    if (isMoved) refreshAvoided(farm, jobId);
  };
};

/** Without a task of its own, returns what all tasks of the job avoid. */
const noTask = 0;

const refreshAvoided = (farm: Pick<Nodes, "ready" | "health">, jobId: number): void => {
  for (const task of farm.ready.ofJob(jobId)) farm.ready.add(withAvoided(farm.health, { ...task, avoids: [] }));
};

const moveBy = (farm: Nodes, draft: Transaction, row: NodeRow, ending: Ending): void => {
  if (row.health.state === "probation") {
    if (ending.cause === undefined) moveHealth(farm, draft, row, "succeed");
    else if (causes[ending.cause].blamesNode) moveHealth(farm, draft, row, "fail");
    return;
  }
  if (ending.cause === undefined) return;
  const reputation = afterEnding(farm.health.reputation(row.id), ending);
  const others = farm.registry.othersAtWork(row.id).map((id) => farm.health.reputation(id));
  if (isDistrusted(reputation, others)) moveHealth(farm, draft, row, "distrust");
};

/** Ends quarantines that are over: such a node gets one task on probation. */
export const endQuarantines = async (farm: Pick<Nodes, "clock" | "log" | "change" | "registry">): Promise<void> => {
  const now = farm.clock.steady();
  const isDue = ({ health }: NodeRow) => health.state === "quarantined" && (health.until ?? 0) <= now;
  const due = farm.registry.rows().filter(isDue);
  if (due.length === 0) return;
  await farm.change([], (draft) => {
    for (const { id } of due) {
      const row = draft.node(id);
      if (row && isDue(row)) moveHealth(farm, draft, row, "due");
    }
  });
};

/** The node's health after the event, if the event applies. `reason`: what people are told of a quarantine. */
export const moveHealth = (
  farm: Pick<Nodes, "clock" | "log">,
  draft: Transaction,
  row: NodeRow,
  event: NodeHealthEvent,
  reason = whys[event],
): NodeRow => {
  const state = next(nodeHealthMachine, row.health.state, event);
  if (state === undefined) return row;
  const now = farm.clock.steady();
  const { since, strikes, until, why } = row.health;
  const quarantine = quarantineAfter(strikes, since, now);
  const after = {
    quarantined: { state, since: now, why: reason ?? why, ...quarantine },
    probation: { state, since, why, strikes, until },
    sound: { state, since, why: null, strikes: event === "forgive" ? 0 : strikes, until },
  };
  draft.after(() => farm.log.warn({ node: row.id, name: row.profile.name, event }, `node is ${state}`));
  return draft.setNode(row, { health: after[state] });
};

const whys: Partial<Record<NodeHealthEvent, string>> = quarantineReasons;
