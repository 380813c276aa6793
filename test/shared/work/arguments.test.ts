import { expect, test } from "vitest";
import { printGraph } from "../../../media/ffmpeg/filtergraph.ts";
import { arg, fillArgument, referencesOf } from "../../../shared/work/arguments.ts";

const graph = printGraph([
  {
    from: ["0:0"],
    filters: [{ name: "ass", options: { filename: { staged: "subtitles.ass" } } }, { name: "null" }],
    to: ["v"],
  },
]);

test("a graph with a path that only the node knows is a word of parts", () => {
  expect(graph).toEqual({
    parts: ["[0:0]ass=filename=", { of: { staged: "subtitles.ass" }, context: "filter" }, ",null[v]"],
  });
  expect(arg.parse(graph)).toEqual(graph);
  expect(referencesOf(graph)).toEqual([{ staged: "subtitles.ass" }]);
});

test("the node escapes what it fills into a filter's option, and nothing else", () => {
  expect(fillArgument(graph, () => "/a b/c:d.ass")).toBe("[0:0]ass=filename=/a\\\\\\ b/c\\\\:d.ass,null[v]");
  expect(fillArgument({ scratch: "log" }, () => "/a b/c:d")).toBe("/a b/c:d");
});

test("a staged name has no character that a filter's parser reads", () => {
  for (const staged of ["a:b", "../a", "a'b", ".hidden", "a/b", ""])
    expect(arg.safeParse({ staged }).success).toBe(false);
});
