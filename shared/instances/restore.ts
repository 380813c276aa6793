import type { Batches, Frame } from "./frame.ts";
import {
  createGraph,
  type Graph,
  type Instance,
  instanceLimits,
  type Move,
  moveRun,
  type Notes,
  openFrame,
  passOpened,
} from "./graph.ts";
import { pathInto } from "./path.ts";
import type { Shape } from "./shape.ts";

/** What is stored of an instance; one that waits has nothing stored. */
export type StoredMove = Omit<Move, "uid" | "path">;

/** The graph as its stored runs leave it. */
export const restoreGraph = (
  shape: Shape,
  stored: (instance: Instance) => StoredMove | undefined,
  limits = instanceLimits,
): Graph => {
  const graph = createGraph(shape, limits);
  const notes: Notes = { undo: () => undefined, closed: () => undefined };
  const restoreFrame = (frame: Frame): void => {
    for (const uid of [...frame.states.keys()]) {
      const move = stored({ uid, path: frame.path });
      if (move) moveRun(graph, { uid, path: frame.path, ...move }, notes);
    }
    for (const batches of frame.batches.values()) restoreBatches(batches);
  };
  const restoreBatches = (batches: Batches): void => {
    const { uid, total, isNumbered, frame } = batches;
    const members = shape.members.get(uid) ?? [];
    for (let number = 0; number < total; number += 1) {
      const path = isNumbered ? pathInto(frame.path, number) : frame.path;
      if (!members.some((member) => stored({ uid: member, path }))) continue;
      batches.known.set(number, true);
      restoreFrame(openFrame(graph, batches, number, notes.undo));
    }
    passOpened(graph, batches, 0, notes.undo);
  };
  restoreFrame(graph.root);
  return graph;
};
