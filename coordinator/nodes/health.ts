import type { Ending } from "../../shared/attempt.ts";
import { causes } from "../../shared/causes.ts";
import { next } from "../../shared/state/machine.ts";
import { type NodeHealthEvent, nodeHealthMachine } from "../../shared/state/node.ts";
import type { Draft } from "../memory/draft.ts";
import { afterEnding, isDistrusted, quarantineAfter } from "../schedule/blame.ts";
import type { NodeRow } from "../store/rows.ts";
import type { Recalled } from "../store/store.ts";
import type { Farm } from "./farm.ts";
import { withAvoided } from "./place.ts";

/** Restores the blame recorded before a restart; forgiven or cleared failures stay cleared. */
export const recallBlame = (
  { blame, clock, registry }: Pick<Farm, "blame" | "clock" | "registry">,
  { failures, endings }: Pick<Recalled, "failures" | "endings">,
): void => {
  const steadyOf = (wall: number) => Math.min(clock.steady(), wall - clock.now() + clock.steady());
  for (const ending of failures) blame.noteForJob(ending);
  for (const ending of endings) {
    const at = steadyOf(ending.at);
    const since = registry.row(ending.nodeId)?.health.since ?? Number.NEGATIVE_INFINITY;
    if (at > since) blame.noteForNode({ ...ending, at });
  }
};

/** Judges the node by how an attempt ended, within the decision that takes the report. */
export const judgeNode = (farm: Farm, draft: Draft, ending: Ending): void => {
  const row = draft.node(ending.nodeId);
  if (row && row.revoked === null) moveBy(farm, draft, row, ending);
  const takeBack = noteEnding(farm, ending);
  draft.undo(takeBack);
};

/** If the whole job begins to avoid a node, its waiting tasks move to other lists. Returns the undo. */
const noteEnding = (farm: Farm, ending: Ending): (() => void) => {
  const { jobId } = ending;
  const avoided = () => farm.blame.avoidedBy(jobId, noTask).length;
  const before = avoided();
  const forget = farm.blame.note(ending);
  const isMoved = avoided() !== before;
  if (isMoved) placeAnew(farm, jobId);
  return () => {
    forget();
    if (isMoved) placeAnew(farm, jobId);
  };
};

/** Without a task of its own, returns what all tasks of the job avoid. */
const noTask = 0;

const placeAnew = (farm: Farm, jobId: number): void => {
  for (const task of farm.ready.ofJob(jobId)) farm.ready.add(withAvoided(farm, { ...task, avoids: [] }));
};

const moveBy = (farm: Farm, draft: Draft, row: NodeRow, ending: Ending): void => {
  if (row.health.state === "probation") {
    if (ending.cause === undefined) moveHealth(farm, draft, row, "succeed");
    else if (causes[ending.cause].blamesNode) moveHealth(farm, draft, row, "fail");
    return;
  }
  if (ending.cause === undefined) return;
  const reputation = afterEnding(farm.blame.reputation(row.id), ending);
  const others = farm.registry.othersAtWork(row.id).map((id) => farm.blame.reputation(id));
  if (isDistrusted(reputation, others)) moveHealth(farm, draft, row, "distrust");
};

/** Ends quarantines that are over: such a node gets one task on probation. */
export const endQuarantines = async (farm: Farm): Promise<void> => {
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

/** The node's health after the event, if the event applies. */
export const moveHealth = (farm: Farm, draft: Draft, row: NodeRow, event: NodeHealthEvent): NodeRow => {
  const state = next(nodeHealthMachine, row.health.state, event);
  if (state === undefined) return row;
  const now = farm.clock.steady();
  const { since, strikes, until, why } = row.health;
  const quarantine = quarantineAfter(strikes, since, now);
  const after = {
    quarantined: { state, since: now, why: whys[event] ?? why, ...quarantine },
    probation: { state, since, why, strikes, until },
    sound: { state, since, why: null, strikes: event === "forgive" ? 0 : strikes, until },
  };
  draft.after(() => farm.log.warn({ node: row.id, name: row.profile.name, event }, `node is ${state}`));
  return draft.setNode(row, { health: after[state] });
};

const whys: Partial<Record<NodeHealthEvent, string>> = {
  distrust: "It kept failing tasks of several jobs while other nodes succeeded",
  fail: "It failed again when it was tried with one task",
};
