import { expect, test } from "vitest";
import { remedyOf } from "../../renderer/pages/job/remedy.ts";
import { obstacleOf } from "../../shared/explain.ts";

const limit = obstacleOf("limit", { tag: "dolby", most: 5, running: 5 });
const paused = {
  node_id: "1",
  name: "edit-1",
  reasons: [obstacleOf("no_slot", { wanted: 1, free: 0 }), obstacleOf("node_paused")],
};

test("what holds a task back leads to the page where it is changed", () => {
  expect(remedyOf({ reasons: [obstacleOf("no_nodes")], nodes: [] })).toEqual({ to: "/nodes", word: "Add a node" });
  expect(remedyOf({ reasons: [], nodes: [paused] })).toEqual({ to: "/nodes", word: "Go to Nodes" });
});

test("what holds everywhere comes first", () => {
  expect(remedyOf({ reasons: [limit], nodes: [paused] })).toEqual({ to: "/farm", word: "See the limits" });
});

test("what ends by itself leads nowhere", () => {
  expect(remedyOf({ reasons: [obstacleOf("ahead", { count: 2 })], nodes: [] })).toBeUndefined();
});
