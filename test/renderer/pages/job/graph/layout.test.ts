import { expect, test } from "vitest";
import { layOutEdges, placeElements } from "../../../../../renderer/pages/job/graph/layout.ts";

const elements = [
  { uid: "source", state: "succeeded" },
  { uid: "main", state: "failed" },
  { uid: "deliver", state: "skipped" },
  { uid: "tell", state: "waiting" },
] as const;
const connections = [
  { from: ["source"], success: ["main"], error: [] },
  { from: ["main"], success: ["deliver"], error: ["tell"] },
];

test("an element stands in a column behind all it waits for, in the definition's order", () => {
  expect(placeElements(elements, connections)).toEqual([
    { uid: "source", column: 0, row: 0 },
    { uid: "main", column: 1, row: 0 },
    { uid: "deliver", column: 2, row: 0 },
    { uid: "tell", column: 2, row: 1 },
  ]);
});

test("an arrow says whether the job went its way", () => {
  expect(layOutEdges(elements, connections).map(({ from, to, way }) => `${from} ${to} ${way}`)).toEqual([
    "source main taken",
    "main deliver notTaken",
    "main tell taken",
  ]);
});
