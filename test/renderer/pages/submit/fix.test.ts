import { expect, test } from "vitest";
import { findFaults } from "../../../../renderer/pages/submit/check.ts";
import { exampleJob } from "../../../../renderer/pages/submit/example.ts";
import { findFix } from "../../../../renderer/pages/submit/fix.ts";

const rate = "payload.elements[1].payload.targets[0].video.bitrate_kb";

test.each([
  [{ path: rate, message: 'must be a number, not "250 Mb"' }, "250000"],
  [{ path: rate, message: 'must be a number, not "8000k"' }, "8000"],
  [{ path: rate, message: 'must be a number, not "1.5 Gb/s"' }, "1500000"],
  [{ path: "video.height", message: 'must be a number, not "1080"' }, "1080"],
  [{ path: "video.height", message: 'must be a number, not "2 k"' }, undefined],
  [{ path: rate, message: 'must be a number, not "fast"' }, undefined],
  [{ path: "video.width", message: "must be at most 8192, not 99999" }, "8192"],
  [{ path: "video.preset", message: 'must be one of "slow", not "slo"; did you mean "slow"?' }, '"slow"'],
  [{ path: "kind", message: 'is required: must be one of "a", "b"' }, undefined],
])("%j is mended by %s", (fault, fix) => {
  expect(findFix(fault)).toBe(fix);
});

test("what the coordinator's own check says of a misspelt value is mended to a job without that fault", () => {
  const wrong = exampleJob.replace('"mp4"', '"mp44"');
  const [fault] = findFaults(wrong);
  expect(wrong).not.toBe(exampleJob);
  expect(fault && wrong.replace('"mp44"', findFix(fault) ?? "")).toBe(exampleJob);
});
