import { expect, test } from "vitest";
import { buildSieve, decidingCheck, droppedWords, listChecks, onlyAway } from "../../../../renderer/shell/why/sieve.ts";
import { obstacleOf } from "../../../../shared/api/explain.ts";

const at = (name: string, ...reasons: ReturnType<typeof obstacleOf>[]) => ({ node_id: name, name, reasons });

test("nodes drop out one question at a time, each at the first that it fails", () => {
  const nodes = [
    at("a", obstacleOf("offline")),
    at("b", obstacleOf("no_slot", { wanted: 1, free: 0 }), obstacleOf("missing_tag", { tag: "uhd" })),
    at("c", obstacleOf("no_slot", { wanted: 1, free: 0 })),
    at("d"),
  ];
  const steps = buildSieve({ nodes, node_count: 4 }).filter(({ dropped }) => dropped.length > 0);
  expect(steps.map(({ word, count, dropped }) => [word, count, dropped.map(({ name }) => name)])).toEqual([
    ["are connected", 3, ["a"]],
    ["fit its tags", 2, ["b"]],
    ["have room now", 1, ["c"]],
  ]);
});

test("nodes that drop out for the same reason share a line, the most frequent first", () => {
  const drop = (name: string, why: string) => ({ node_id: name, name, why });
  const busy = ["a", "b", "c", "d", "e", "f", "g", "h"].map((name) => drop(name, "All of its slots are taken"));
  expect(droppedWords([drop("x", "Not connected"), ...busy])).toEqual([
    "All of its slots are taken: a, b, c, d, e, f and 2 more",
    "Not connected: x",
  ]);
  expect(droppedWords([])).toEqual([]);
});

test("what holds everywhere is ticked off", () => {
  const limit = obstacleOf("limit", { tag: "j2k", most: 5, running: 5 });
  const faults = listChecks({ reasons: [limit] }).filter(({ fault }) => fault !== undefined);
  expect(faults).toEqual([{ word: "Limits", fault: limit.message }]);
});

test("its turn decides where a node would take it, and not where none that is there could", () => {
  const reasons = [obstacleOf("ahead", { count: 3 })];
  const busy = at("a", obstacleOf("no_slot", { wanted: 1, free: 0 }));
  const away = at("b", obstacleOf("offline"));
  const tagless = at("c", obstacleOf("missing_tag", { tag: "suite" }));
  expect(decidingCheck({ reasons, nodes: [busy, tagless] })?.word).toBe("Its turn");
  expect(decidingCheck({ reasons, nodes: [away, tagless] })).toBeUndefined();
  const paused = obstacleOf("job_paused");
  expect(decidingCheck({ reasons: [paused, ...reasons], nodes: [tagless] })?.word).toBe("Not paused");
});

test("a node that lacks nothing but its connection is named as one that could take it", () => {
  const lame = at("b", obstacleOf("offline"), obstacleOf("missing_tag", { tag: "suite" }));
  expect(onlyAway({ nodes: [at("a", obstacleOf("offline")), lame, at("c")] }).map(({ name }) => name)).toEqual(["a"]);
});
