import { expect, test } from "vitest";
import { createGraph, moveRun, nextToStart, openNext } from "../../../media/instances/graph.ts";
import { buildShape } from "../../../media/instances/shape.ts";

/** Changes that a move makes; each is written down with what takes it back. */
const changesOf = (move: (note: () => void) => void): number => {
  let count = 0;
  move(() => {
    count += 1;
  });
  return count;
};

const elements = (count: number) =>
  Array.from({ length: count }, (_, nr) => ({ uid: `e${nr}`, enumerates: false, effort: 10 }));

test("starting and ending an element changes as much in a graph of 10,000 elements as in one of 10", () => {
  const counts = [10, 1000, 10_000].map((size) => {
    const graph = createGraph(buildShape(elements(size), []));
    return (["planning", "succeeded"] as const).map((state) =>
      changesOf((note) => {
        const uid = state === "planning" ? (nextToStart(graph)?.uid ?? "") : "e0";
        moveRun(graph, { uid, path: "", state }, { undo: note, closed: () => undefined });
      }),
    );
  });
  expect(counts).toEqual([counts[0], counts[0], counts[0]]);
});

test("opening and ending a batch changes as much among 10,000 batches as among 10", () => {
  const counts = [10, 1000, 10_000].map((batches) => {
    const all = { uid: "all", enumerates: true, effort: 1 };
    const shape = buildShape([all, ...elements(1)], [{ from: ["all"], success: ["e0"], error: [] }]);
    const graph = createGraph(shape);
    const quiet = { undo: () => undefined, closed: () => undefined };
    moveRun(graph, { uid: "all", path: "", state: "planning" }, quiet);
    moveRun(graph, { uid: "all", path: "", state: "succeeded", batches }, quiet);
    return changesOf((note) => {
      const notes = { undo: note, closed: () => undefined };
      openNext(graph, notes);
      moveRun(graph, { uid: "e0", path: "0", state: "planning" }, notes);
      moveRun(graph, { uid: "e0", path: "0", state: "succeeded" }, notes);
    });
  });
  expect(counts).toEqual([counts[0], counts[0], counts[0]]);
});
