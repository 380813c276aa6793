import { type Frame, foldOf, type Outcome, type Tally } from "./frame.ts";
import type { Graph } from "./graph-state.ts";
import { enqueue } from "./queue.ts";
import type { Shape } from "./shape.ts";
import { assign, put, type UndoLog } from "./undo-log.ts";

/** Updates the frame's connections that come from this element, and decides those that are complete. */
export const propagateOutcome = (graph: Graph, frame: Frame, uid: string, outcome: Outcome, undo: UndoLog): void => {
  for (const index of graph.shape.outgoing.get(uid) ?? []) {
    const link = frame.links.get(index);
    if (!link) continue;
    if (outcome === "failed") assign(undo, link, "failed", true);
    if (outcome === "succeeded") assign(undo, link, "succeeded", true);
    assign(undo, link, "left", link.left - 1);
    if (link.left === 0) tellTargets(graph, frame, index, undo);
  }
};

const tellTargets = (graph: Graph, frame: Frame, index: number, undo: UndoLog): void => {
  const { success = [], error = [] } = graph.shape.connections[index] ?? {};
  for (const target of new Set([...success, ...error])) {
    const waits = frame.waits.get(target);
    if (waits === undefined) continue;
    put(undo, frame.waits, target, waits - 1);
    if (fires(graph.shape, frame, index, target)) put(undo, frame.fired, target, true);
    if (waits === 1) decide(graph, frame, target, undo);
  }
};

/** The same for inner frames. */
export const propagateInside = (graph: Graph, frame: Frame, uid: string, outcome: Outcome, undo: UndoLog): void => {
  for (const scope of graph.shape.leadsInto.get(uid) ?? []) {
    for (const inner of frame.batches.get(scope)?.open.values() ?? []) {
      propagateOutcome(graph, inner, uid, outcome, undo);
      propagateInside(graph, inner, uid, outcome, undo);
    }
  }
};

/** Counts ended runs of the element; once all have ended, the outer frame sees their common outcome. */
export const propagateOutside = (
  graph: Graph,
  frame: Frame,
  uid: string,
  ended: Omit<Tally, "ended">,
  undo: UndoLog,
): void => {
  const { scope, above } = frame;
  const batches = above?.batches.get(scope);
  if (!above || !batches || !graph.shape.counted.has(uid)) return;
  const before = batches.tallies.get(uid);
  const after = {
    ended: (before?.ended ?? 0) + 1,
    failed: ended.failed || before?.failed === true,
    succeeded: ended.succeeded || before?.succeeded === true,
    completed: ended.completed || before?.completed === true,
  };
  put(undo, batches.tallies, uid, after);
  if (after.ended < batches.total) return;
  propagateOutcome(graph, above, uid, foldOf(after), undo);
  propagateOutside(graph, above, uid, after, undo);
};

/** Queues an element whose connections are all decided. After a restart it may have moved on already. */
export const decide = (graph: Graph, frame: Frame, uid: string, undo: UndoLog): void => {
  if (frame.states.get(uid) !== "waiting") return;
  const instance = { uid, path: frame.path };
  const started = frame.above ? graph.toStartInBatches : graph.toStart;
  enqueue(undo, frame.fired.has(uid) ? started : graph.toSkip, instance);
};

/** Whether the connection is decided and starts the element. */
export const fires = ({ connections }: Shape, { links }: Frame, index: number, uid: string): boolean => {
  const [link, connection] = [links.get(index), connections[index]];
  if (!link || !connection || link.left > 0) return false;
  const outcome = foldOf(link);
  if (outcome === "failed") return connection.error.includes(uid);
  return outcome === "succeeded" && connection.success.includes(uid);
};
