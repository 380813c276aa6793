import { expect, test } from "vitest";
import { filterNames, printGraph } from "../../../media/ffmpeg/filtergraph.ts";

const chains = [
  { from: ["0:0"], filters: [{ name: "split", options: { outputs: 2 } }], to: ["a", "b"] },
  { from: ["a"], filters: [{ name: "scale", options: { w: 2, h: undefined } }, { name: "null" }], to: ["v"] },
];

test("chains are printed in their order", () => {
  expect(printGraph(chains)).toBe("[0:0]split=outputs=2[a][b];[a]scale=w=2,null[v]");
});

test("each filter is named once", () => {
  expect(filterNames([...chains, ...chains])).toEqual(["split", "scale", "null"]);
});

test("no text ends its value", () => {
  const filters = [{ name: "f", options: { t: "a'b:c,d[e];f\\g h" } }];
  expect(printGraph([{ from: [], filters, to: [] }])).toBe("f=t=a\\\\\\'b\\\\:c\\,d\\[e\\]\\;f\\\\\\\\g\\\\\\ h");
});
