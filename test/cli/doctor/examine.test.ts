import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Area, FarmArea, Patient } from "../../../cli/doctor/area.ts";
import { examine } from "../../../cli/doctor/examine.ts";
import { ok } from "../../../cli/doctor/finding.ts";
import { buildReport, reportText } from "../../../cli/doctor/report.ts";
import { noPaint } from "../../../cli/text/paint.ts";
import { createTestClock } from "../../helpers/clock.ts";

const clock = createTestClock();
const patient: Patient = {
  ...{ dataDir: "/srv/farm", farm: undefined, lastUrl: undefined, version: "0.1.0", env: {}, clock, scratch: "/tmp" },
};
const sound: Area = { name: "sound", limitMs: 1000, look: async () => [ok("it", "is well")] };
const failing: Area = { name: "failing", limitMs: 1000, look: () => Promise.reject(new Error("no such thing")) };
const slow: Area = { name: "slow", limitMs: 2000, look: () => new Promise(() => {}) };
const asking: FarmArea = { name: "asking", limitMs: 1000, ask: async () => [ok("farm", "answers")] };

test("an area that fails or takes too long is a finding, and the others are examined", async () => {
  const examined = examine(patient, [slow, failing, sound, asking]);
  await setImmediate();
  await clock.advance(2000);
  const report = buildReport(await examined, { now: Date.UTC(2026, 10, 1), version: "0.1.0" });
  expect(report).toMatchObject({ made: "2026-11-01T00:00:00.000Z", version: "0.1.0", severity: "bad" });
  expect(reportText(report, noPaint)).toBe(`slow
  ✕ examination: The slow could not be examined: it took longer than 2 s
    Look again; if it stays so, report it with what --bundle writes.
failing
  ✕ examination: The failing could not be examined: no such thing
    Look again; if it stays so, report it with what --bundle writes.
sound
  ✓ it: is well
asking
  - not examined, because no farm runs
Something does not work: look at what is marked with ✕
`);
});
