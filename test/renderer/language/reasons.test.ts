import { expect, test } from "vitest";
import { describeNodes, partsOfNodes } from "../../../coordinator/views/explain-nodes.ts";
import { reasonText, summaryText } from "../../../renderer/language/reasons.ts";
import { type Obstacle, obstacleOf } from "../../../shared/api/explain.ts";

const shared: readonly (readonly [string, readonly Obstacle[]])[] = [
  ["slots", [obstacleOf("no_slot", { wanted: 1, free: 0 }), obstacleOf("no_slot", { wanted: 1, free: 0 })]],
  ["slots for a large task", [obstacleOf("no_slot", { wanted: 4, free: 1 })]],
  ["light slots", [obstacleOf("no_light_slot")]],
  ["tags", [obstacleOf("missing_tag", { tag: "uhd" }), obstacleOf("missing_tag", { tag: "gpu" })]],
  ["capabilities", [obstacleOf("missing_capability", { capability: "encoder:prores" })]],
  ["states", [obstacleOf("offline"), obstacleOf("node_paused"), obstacleOf("node_draining")]],
  ["owners", [obstacleOf("owner", { state: "inUse", why: "In use" })]],
  ["what only single nodes have", [obstacleOf("on_probation")]],
];

test.each(shared)("pages say of %s in English what the coordinator says", (_, obstacles) => {
  expect(summaryText("another sentence", partsOfNodes(obstacles))).toBe(describeNodes(obstacles));
});

test("a summary that is no data stays as it was said, without its end", () => {
  expect(summaryText("One node could take it now.", [])).toBe("One node could take it now");
});

test("what holds everywhere stands behind what holds nodes back", () => {
  const ahead = { ...obstacleOf("ahead", { count: 3 }), nodes: 0 };
  const busy = { ...obstacleOf("no_slot", { wanted: 1, free: 0 }), nodes: 2 };
  expect(summaryText("", [busy, ahead])).toBe("All slots on 2 nodes are busy. 3 tasks go before it");
});

test("why a node is not lent is said by its state too, so that other languages need no English of its agent", () => {
  const { data } = obstacleOf("owner", { state: "program", why: "Nuke is running." });
  expect(data).toEqual({ state: "program", why: "Nuke is running." });
  expect(reasonText(obstacleOf("owner", { state: "program", why: "Nuke is running." }))).toBe(
    "Not lent by its owner: Nuke is running",
  );
});
