import { expect, test } from "vitest";
import type { RunCount } from "../../../coordinator/store/job-reads.ts";
import { buildElementViews } from "../../../coordinator/views/element-views.ts";
import type { ElementRunState } from "../../../shared/state/element-run.ts";

const elements = ["folder_enum", "copy"].map((kind) => ({ uid: kind, kind, name: kind }));
const connections = [{ from: ["folder_enum"], success: ["copy"], error: [] }];
const runs = (uid: string, state: ElementRunState, n: number, more: Partial<RunCount> = {}): RunCount => ({
  ...{ uid, state, n, below: n, isNumbered: uid === "copy" ? 1 : 0, failure: null },
  ...more,
});
const viewed = (...counts: RunCount[]) => {
  const [, copy] = buildElementViews(elements, connections, counts);
  return [copy?.state, copy?.instances];
};

test("the runs of an element behind an enumeration are counted together, those that wait too", () => {
  const found = runs("folder_enum", "succeeded", 1, { below: 5000 });
  expect(viewed(found)).toEqual(["waiting", { total: 5000, running: 0, succeeded: 0, failed: 0, skipped: 0 }]);
  expect(viewed(found, runs("copy", "succeeded", 10), runs("copy", "planning", 2), runs("copy", "running", 3))).toEqual(
    [...["running", { total: 5000, running: 5, succeeded: 10, failed: 0, skipped: 0 }]],
  );
});

test.each<[ElementRunState, RunCount[]]>([
  ["succeeded", [runs("copy", "succeeded", 2), runs("copy", "skipped", 1)]],
  ["failed", [runs("copy", "succeeded", 2), runs("copy", "failed", 1)]],
  ["skipped", [runs("copy", "skipped", 3)]],
])("once all have ended it is shown as %s", (state, counts) => {
  expect(viewed(runs("folder_enum", "succeeded", 1, { below: 3 }), ...counts)[0]).toBe(state);
});

test("what ran once, without a batch, is shown as any element", () => {
  expect(viewed(runs("folder_enum", "failed", 1), runs("copy", "skipped", 1, { isNumbered: 0 }))).toEqual([
    ...["skipped", null],
  ]);
});
