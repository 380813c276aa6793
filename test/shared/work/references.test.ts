import { expect, test } from "vitest";
import { danglingReferences } from "../../../shared/work/references.ts";
import type { Work } from "../../../shared/work/work.ts";

const output = { version: "v", folder: "file:///out", name: "a", isSequence: false, existing: "fail" } as const;

test("references to what the work has are no dangling ones", () => {
  const work: Work = {
    assets: { a: { uri: "file:///a" } },
    outputs: { o: output },
    steps: [
      { do: "probe", id: "p", asset: "a" },
      { do: "copy", id: "c", files: [{ from: ["a"], to: "o" }] },
      { do: "ffmpeg", id: "f", argv: ["-i", { asset: "a" }, { scratch: "log" }, { out: "o" }] },
    ],
  };
  expect(danglingReferences(work)).toEqual([]);
});

test("every reference to nothing is named", () => {
  const work: Work = {
    assets: {},
    outputs: {},
    steps: [
      { do: "probe", id: "p", asset: "a" },
      { do: "copy", id: "c", files: [{ from: ["b"], to: "o" }] },
      { do: "ffmpeg", id: "f", argv: ["-i", { asset: "toString" }, { out: "constructor" }] },
    ],
  };
  expect(danglingReferences(work)).toEqual(["asset a", "asset b", "output o", "asset toString", "output constructor"]);
});
