import type { Batches, Frame } from "./frame.ts";
import { createGraph, type Move, type MoveHooks, moveRun, openFrame, passOpened } from "./graph.ts";
import { type Graph, type Instance, instanceLimits } from "./graph-state.ts";
import { pathInto } from "./path.ts";
import type { Shape } from "./shape.ts";

/** The stored state of an instance; a waiting one has none. */
export type StoredMove = Omit<Move, "uid" | "path">;

type StoredMoves = (instance: Instance) => StoredMove | undefined;

/** Restores a graph from its stored runs. */
export const restoreGraph = (shape: Shape, stored: StoredMoves, limits = instanceLimits): Graph =>
  lastOf(restoreInSteps(shape, stored, limits));

/** The same, a batch at a time: 100,000 instances take more than a second. */
export function* restoreInSteps(
  shape: Shape,
  stored: StoredMoves,
  limits = instanceLimits,
): Generator<undefined, Graph> {
  const graph = createGraph(shape, limits);
  const notes: MoveHooks = { undo: () => undefined, closed: () => undefined };
  function* restoreFrame(frame: Frame): Generator<undefined> {
    for (const uid of [...frame.states.keys()]) {
      const move = stored({ uid, path: frame.path });
      if (move) moveRun(graph, { uid, path: frame.path, ...move }, notes);
    }
    yield;
    for (const batches of frame.batches.values()) yield* restoreBatches(batches);
  }
  function* restoreBatches(batches: Batches): Generator<undefined> {
    const { uid, total, isNumbered, frame } = batches;
    const members = shape.members.get(uid) ?? [];
    for (let number = 0; number < total; number += 1) {
      const path = isNumbered ? pathInto(frame.path, number) : frame.path;
      if (!members.some((member) => stored({ uid: member, path }))) continue;
      batches.known.set(number, true);
      yield* restoreFrame(openFrame(graph, batches, number, notes.undo));
    }
    passOpened(graph, batches, 0, notes.undo);
  }
  yield* restoreFrame(graph.root);
  return graph;
}

const lastOf = <T>(steps: Generator<undefined, T>): T => {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
};
