import { expect, test } from "vitest";
import { describeInvalidWork, maxWorkBytes } from "../../../coordinator/planning/invalid-work.ts";
import type { Work } from "../../../shared/work/work.ts";

const aWork = (argv: unknown[], more: object = {}): Work =>
  ({ assets: {}, outputs: {}, steps: [{ do: "ffmpeg", id: "run", argv }], ...more }) as Work; // what a kind may get wrong

const long = "x".repeat(120_001);

test("work that a node can read has no misfit", () => {
  expect(
    describeInvalidWork(
      aWork(["-i", { asset: "0" }, { parts: ["x".repeat(120_000), { of: { asset: "0" }, context: "filter" }] }]),
    ),
  ).toBe(undefined);
});

test("a field without a value is as one that is absent, also where any JSON may stand", () => {
  const results = { a: { parser: "loudness", from: "stderr", options: { until: undefined } } };
  const step = { do: "ffmpeg", id: "run", argv: ["-y"], until: undefined };
  expect(describeInvalidWork(aWork([], { steps: [step, { ...step, id: "b", results }] }))).toBe(undefined);
});

test.each<[string, Work, string]>([
  [
    "a word",
    aWork(["-vf", long]),
    "work.steps[0].argv[1] must have at most 120000 characters, not a text of 120001 characters",
  ],
  [
    "a part of a word",
    aWork([{ parts: ["a", long] }]),
    "work.steps[0].argv[0].parts[1] must have at most 120000 characters, not a text of 120001 characters",
  ],
  [
    "the parts of a word together",
    aWork([{ parts: ["x".repeat(70_000), "x".repeat(70_000)] }]),
    "work.steps[0].argv[0].parts must have at most 120000 characters of text",
  ],
  ["a command", aWork(Array(4001).fill("-y")), "work.steps[0].argv must have at most 4000 items, not a list of 4001"],
  ["no step", aWork([], { steps: [] }), "work.steps must have at least 1 item, not an empty list"],
  [
    "a name",
    aWork([], {
      outputs: {
        main: { version: "v", folder: "file:///out", name: "n".repeat(256), isSequence: false, existing: "fail" },
      },
    }),
    "work.outputs.main.name must have at most 255 characters, not a text of 256 characters",
  ],
  [
    "all of it",
    aWork(Array(100).fill("é".repeat(60_000))),
    `work must have at most ${maxWorkBytes} bytes of JSON, not 12000372`,
  ],
])("work with a limit that it does not keep is told of with the field and the limit: %s", (_, work, words) => {
  expect(describeInvalidWork(work)).toBe(words);
});

test("what no node knows is named", () => {
  expect(describeInvalidWork(aWork([], { steps: [{ do: "dance", id: "a" }] }))).toMatch(
    /^work\.steps\[0\]\.do must be one of "ffmpeg"/,
  );
  expect(describeInvalidWork(aWork(["-y"], { more: 1 }))).toBe('work must not have "more", not an object');
});
