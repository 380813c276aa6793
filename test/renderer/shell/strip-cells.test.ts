import { expect, test } from "vitest";
import { areNarrow, cellsIn, wantedWidth } from "../../../renderer/shell/strip-cells.ts";
import type { Node } from "../../../shared/model/node.ts";

/** So many nodes of each group. */
const nodes = (...sizes: readonly number[]): Node[] =>
  sizes.flatMap((size, nr) =>
    // Only these fields are read.
    Array.from({ length: size }, (_, at) => ({ id: `${nr}.${at}`, group: `group ${nr}` }) as Node),
  );

const sizesIn = (some: readonly Node[], width: number) => cellsIn(some, width).map((cell) => cell.nodes.length);

test("each node has a cell where there is room for all of them", () => {
  const some = nodes(3, 2);
  expect(sizesIn(some, wantedWidth(some))).toEqual([1, 1, 1, 1, 1]);
  expect(cellsIn(some, 500).map(({ isFirst }) => isFirst)).toEqual([false, false, false, true, false]);
});

test("cells are narrow before they stand for several nodes, as few as the room allows, of one group only", () => {
  const eight = nodes(5, 3);
  expect([wantedWidth(eight), areNarrow(eight, 124), areNarrow(eight, 123)]).toEqual([124, false, true]);
  expect(sizesIn(eight, 92)).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
  expect(sizesIn(eight, 91)).toEqual([2, 2, 1, 2, 1]);
  const many = cellsIn(nodes(150, 100, 50), 450);
  expect(many.length * 10 + 12 + 6).toBeLessThanOrEqual(450);
  expect(many.flatMap((cell) => cell.nodes)).toHaveLength(300);
});

test("a hundred nodes and more share cells on any screen, and groups without room have one each", () => {
  expect(sizesIn(nodes(97), 5000)).toHaveLength(49);
  expect(sizesIn(nodes(9, 9, 9), 10)).toEqual([9, 9, 9]);
  expect(cellsIn([], 400)).toEqual([]);
});
