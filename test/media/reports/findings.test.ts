import { expect, test } from "vitest";
import { findingOf } from "../../../media/reports/findings.ts";

const black = { events: [{ begin: 1, end: 3, duration_sec: 2 }], max_sec: 2 };
const chart = { title: "Momentary loudness", unit: "LUFS", step_sec: 0.5, values: [-30, -20, -22] };
const analysis = {
  kind: "analysis",
  value: {
    general_properties: { container: { duration_sec: 10 } },
    deep_properties: {
      video: { black, levels: { bit_depth: 8 } },
      audio: [{ silence: { events: [], max_sec: 0 }, ebur128: { integrated_lufs: -21.5, chart } }],
    },
  },
};
const verdict = { condition: "a > 1", outcome: "failed" as const, message: "a is 0" };

test("an analysis is sections with figures, lanes and curves on the time of its media", () => {
  const found = findingOf({ video: analysis });
  expect(found?.seconds).toBe(10);
  expect(found?.sections.map(({ title, intervals, curve }) => [title, intervals, curve?.values])).toEqual([
    ["Container", null, undefined],
    ["Video: Black", [[1, 3]], undefined],
    ["Video: Levels", null, undefined],
    ["Audio 1: Silence", [], undefined],
    ["Audio 1: EBU R 128", null, [-30, -20, -22]],
  ]);
});

test("a check tells its verdicts alone, and what nobody reads is no finding", () => {
  const found = findingOf({ verdicts: { kind: "verdicts", value: [verdict] }, analysis });
  expect(found).toEqual({ verdicts: [verdict], seconds: 0, sections: [] });
  expect(findingOf({ receipt: { kind: "receipt", value: { status: 200 } } })).toBeUndefined();
});
