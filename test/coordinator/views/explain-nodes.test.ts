import { expect, test } from "vitest";
import { describeNodes, partsOfNodes } from "../../../coordinator/views/explain-nodes.ts";
import { obstacleOf } from "../../../shared/api/explain.ts";

const busy = obstacleOf("no_slot", { wanted: 1, free: 0 });
const uhd = obstacleOf("missing_tag", { tag: "uhd" });

test("nodes with the same obstacle are one part of the sentence, busy ones first", () => {
  expect(describeNodes([uhd, busy, uhd, busy, uhd, obstacleOf("offline")])).toBe(
    'All slots on 2 nodes are busy; 3 nodes have no tag "uhd"; 1 node is not connected',
  );
});

test("one node is one, and other tags are other parts", () => {
  expect(describeNodes([busy])).toBe("All slots on 1 node are busy");
  expect(describeNodes([uhd, obstacleOf("missing_tag", { tag: "j2k" })])).toBe(
    '1 node has no tag "uhd"; 1 node has no tag "j2k"',
  );
});

test("an obstacle without words for many keeps its own, and a free node is named", () => {
  expect(describeNodes([obstacleOf("on_probation"), undefined])).toBe(
    "1 node: On probation: it has the one task that it is tried with; 1 node could take it now",
  );
});

test("the same as data has the reason and the number of its nodes, unless a node is free", () => {
  expect(partsOfNodes([uhd, busy, uhd])).toEqual([
    { ...busy, nodes: 1 },
    { ...uhd, nodes: 2 },
  ]);
  expect(partsOfNodes([busy, undefined])).toEqual([]);
});
