import { expect, test } from "vitest";
import { blockerOf, lineOf, outcomeOfFailure } from "./outcome.ts";
import { blockersOf, countsOf, markdownOf, type Row } from "./report.ts";

const missing = (field: string) => `task.payload.targets[3].${field} is not implemented yet`;
const capability = (message: string) => outcomeOfFailure([{ cause: "capability", message }]);

test("what a failure lacks makes it a refusal; a later step's kind is waited for; everything else is a bug", () => {
  expect(capability(missing("video.filters"))).toEqual({ kind: "refused", missing: missing("video.filters") });
  expect(capability('x: elements of kind "package" are not implemented in this version')).toMatchObject({
    kind: "waits",
    step: "packages, encryption, notifications, scripts",
  });
  expect(outcomeOfFailure([{ cause: "media", message: "broken" }])).toEqual({
    kind: "failed",
    faults: ["media: broken"],
  });
  const both = [
    { cause: "capability", message: missing("audio") },
    { cause: "storage", message: "full" },
  ];
  expect(outcomeOfFailure(both).kind).toBe("failed");
  expect(outcomeOfFailure([]).kind).toBe("failed");
});

test("blockers are told without their place in a job", () => {
  expect(blockerOf(missing("audio[1].filters"))).toBe("audio[].filters");
  expect(blockerOf('qc: elements of kind "qc" are not implemented in this version')).toBe("element qc");
});

test("a report counts outcomes and groups samples by what they lack", () => {
  const row = (sample: string, outcome: Row["outcome"]): Row => ({ sample, outcome, seconds: 1 });
  const rows = [
    row("a/one.json", { kind: "completed", outputs: 2, warnings: ["x has no effect"] }),
    row("a/two.json", capability(missing("subtitle"))),
    row("a/three.json", capability(missing("subtitle"))),
    row("a/four.json", { kind: "failed", faults: ["x | y"] }),
  ];
  expect(countsOf(rows)).toEqual({ completed: 1, refused: 2, waits: 0, failed: 1 });
  expect(blockersOf(rows)).toEqual([["subtitle", ["a/two.json", "a/three.json"]]]);
  expect(markdownOf(rows)).toContain("| subtitle | 2: two, three |");
  expect(markdownOf(rows)).toContain("| a/four.json | FAILED: x \\| y |");
  expect(lineOf("a", { kind: "completed", outputs: 2, warnings: ["x has no effect"] }, 3)).toBe(
    "a: completed, 2 outputs checked; x has no effect (3 s)",
  );
});
