import { describe, expect, test } from "vitest";
import { closeInputs, closest, isAlikeEverywhere, type NodesNear } from "../../../coordinator/schedule/locality.ts";
import { aNode, anOpenTask } from "../../helpers/farm/schedule.ts";

/** Node 2 made a.mov, node 3 fetched s3://b/c.mov. */
const nodesNear: NodesNear = (uri) => ({ "file:///out/a.mov": [2], "s3://b/c.mov": [3] })[uri] ?? [];
const mounted = aNode({ id: 4, prefixes: new Set(["s3://b"]) });
const reading = (...inputs: string[]) => anOpenTask(1, { inputs });

describe("the inputs that are close to a node", () => {
  test.each([
    ["made there", 2, ["file:///out/a.mov"], 1],
    ["made elsewhere", 3, ["file:///out/a.mov"], 0],
    ["fetched there", 3, ["s3://b/c.mov"], 1],
    ["remote, and fetched elsewhere", 2, ["s3://b/c.mov"], 0],
    ["remote, and covered by a mount", 4, ["s3://b/c.mov"], 1],
    ["remote, and beside the mount", 4, ["s3://bc/c.mov"], 0],
    ["of both kinds", 3, ["file:///out/a.mov", "s3://b/c.mov"], 1],
    ["none at all", 2, [], 0],
  ])("%s", (_, id, inputs, close) => {
    expect(closeInputs(id === 4 ? mounted : aNode({ id }), reading(...inputs), nodesNear)).toBe(close);
  });

  test("are worth a look only where nodes can differ", () => {
    const alike = [[], ["file:///in.mov"], ["file:///out/a.mov"], ["https://x/y.mov"]].map((inputs) =>
      isAlikeEverywhere(reading(...inputs), nodesNear),
    );
    expect(alike).toEqual([true, true, false, false]);
  });
});

describe("of the nodes that could take a task", () => {
  const places = [1, 2, 3].map((id) => ({ node: aNode({ id }) }));
  const [one, two, three] = places as [{ node: ReturnType<typeof aNode> }, ...typeof places]; // there are three
  const chosen = (inputs: string[], takers: readonly number[]) =>
    closest(
      reading(...inputs),
      [one, two, three].flatMap((each) => each ?? []) as [typeof one],
      nodesNear,
      ({ node }) => takers.includes(node.id),
    ).node.id;

  test.each([
    ["the one that made the input takes it", ["file:///out/a.mov"], [1, 2, 3], 2],
    ["the one with more of the inputs takes it", ["s3://b/c.mov", "s3://b/d.mov"], [1, 2, 3], 3],
    ["the first takes it where none is closer", ["file:///in.mov"], [1, 2, 3], 1],
    ["the first takes it where the closer one is busy: nobody waits", ["file:///out/a.mov"], [1, 3], 1],
  ])("%s", (_, inputs, takers, id) => {
    expect(chosen(inputs, takers)).toBe(id);
  });
});
