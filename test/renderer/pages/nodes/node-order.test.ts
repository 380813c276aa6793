import { describe, expect, test } from "vitest";
import { behindKind, searchNodes, slowNodes, sortNodes } from "../../../../renderer/pages/nodes/node-order.ts";
import { nodesSortedBy } from "../../../../renderer/pages/nodes/search.ts";
import type { NodePace } from "../../../../shared/api/node-view.ts";
import type { Node } from "../../../../shared/model/node.ts";

const aNode = (id: string, changes: Partial<Node> = {}): Node => ({
  ...{ id, name: `vfx-${id}`, state: "active", presence: "online", tags: [], group: null, slots: 2, running: [] },
  health: { state: "sound", until: null, why: null },
  ...{ version: null, clock_offset: null, lending: null, platform: "posix", ffmpeg: null, roots: [], mounts: [] },
  machine: { cpu: "EPYC", cores: 8, memory: 1e9, os: "Linux" },
  ...{ enrolled: "2026-01-01T00:00:00Z", last_seen: `2026-01-0${id}T00:00:00Z` },
  ...changes,
});
const aPace = (node_id: string, changes: Partial<NodePace> = {}): NodePace => ({
  ...{ node_id, speed: 1, kind: null, samples: 9, done: 9, failed: 0, owners: [], has: [] },
  ...changes,
});
const pacesOf = (...paces: readonly NodePace[]) => new Map(paces.map((pace) => [pace.node_id, pace]));
const ids = (nodes: readonly Node[]) => nodes.map(({ id }) => id).join();

const nodes = [aNode("1", { name: "vfx-10" }), aNode("2"), aNode("3")];

describe("nodes are sorted", () => {
  const paces = pacesOf(aPace("1", { speed: 0.6, failed: 2 }), aPace("2", { speed: null }), aPace("3", { failed: 7 }));
  test.each([
    ["speed", "asc", "1,3,2"],
    ["speed", "desc", "3,1,2"],
    ["failures", "desc", "3,1,2"],
    ["name", "asc", "2,3,1"],
    ["seen", "desc", "3,2,1"],
  ] as const)("by %s, %s: what is not known comes last", (sort, order, expected) => {
    expect(ids(sortNodes(nodes, paces, { sort, order }))).toBe(expected);
  });

  test("by the column that was clicked, the slowest and the most failures first; then the other way round; then not", () => {
    const slowest = nodesSortedBy({}, "speed");
    expect(slowest).toEqual({ sort: "speed", order: "asc" });
    expect(nodesSortedBy({}, "failures")).toEqual({ sort: "failures", order: "desc" });
    const fastest = nodesSortedBy(slowest, "speed");
    expect(fastest).toEqual({ sort: "speed", order: "desc" });
    expect(nodesSortedBy(fastest, "speed")).toEqual({ sort: undefined, order: undefined });
  });
});

test.each([
  ["gpu", "1"],
  ["ffmpeg 7.1", "2"],
  ["windows", "3"],
  ["olga", "2"],
  ["hevc_nvenc", "3"],
  ["vfx", "1,2,3"],
  ["gpu windows", ""],
])("nodes are found by %j", (text, expected) => {
  const all = [
    aNode("1", { tags: ["gpu"] }),
    aNode("2", { ffmpeg: { version: "7.1.2", path: "/usr/bin/ffmpeg" } }),
    aNode("3", { machine: { cpu: "EPYC", cores: 8, memory: 1e9, os: "Windows 11" } }),
  ];
  const has = text === "hevc_nvenc" ? ["encoder:hevc_nvenc"] : [];
  const paces = pacesOf(aPace("1"), aPace("2", { owners: ["Olga"] }), aPace("3", { has }));
  expect(ids(searchNodes(all, paces, text))).toBe(expected);
});

test("a node is told to be slower than its kind only where it is so by much", () => {
  const kind = (speed: number) => aPace("1", { kind: { speed, nodes: 3 } });
  expect([0.6, 0.9, 1.5].map((speed) => behindKind(kind(speed)))).toEqual([0.4, undefined, -0.5]);
  expect(behindKind(aPace("1"))).toBeUndefined();
  const paces = pacesOf(kind(0.7), { ...kind(0.5), node_id: "2" }, { ...kind(0.8), node_id: "3" });
  expect(ids(slowNodes(nodes, paces))).toBe("2,1");
});
