import { afterEach, beforeEach, expect, test } from "vitest";
import { aFarm, anAssignment, type Farm } from "../../helpers/agent/agent-fixture.ts";
import { createHurriedClock } from "../../helpers/clock.ts";

let farm: Farm;
beforeEach(async () => {
  farm = await aFarm({ heartbeatMs: 600_000 });
});
afterEach(() => farm.end());

/** A program that says the same progress again and again, under these limits. */
const runHanging = async (limits: { stallMs: number; hardMs: number }) => {
  await farm.start({ clock: createHurriedClock(10) });
  await farm.coordinator.receive("hello");
  const assignment = anAssignment({ root: farm.root, argv: ["hang", farm.path("pid")] });
  farm.coordinator.assign({ ...assignment, limits });
  return farm.coordinator.reportOf(assignment.fence);
};

test("an attempt that makes no progress for too long ends with the cause timeout and leaves nothing", async () => {
  const { outcome } = await runHanging({ stallMs: 1000, hardMs: 600_000 });
  const message = "It made no progress for 1 seconds";
  expect(outcome).toEqual({ outcome: "failed", failure: { cause: "timeout", message } });
  expect(await farm.list()).toEqual([]);
});

test("an attempt that takes too long in all ends, whatever it says", async () => {
  const { outcome } = await runHanging({ stallMs: 600_000, hardMs: 1000 });
  const message = "It ran for 1 seconds, which is the limit";
  expect(outcome).toEqual({ outcome: "failed", failure: { cause: "timeout", message } });
  expect(await farm.list()).toEqual([]);
});

test("an attempt within its limits is left alone", async () => {
  await farm.start();
  await farm.coordinator.receive("hello");
  const assignment = anAssignment({ root: farm.root });
  farm.coordinator.assign({ ...assignment, limits: { stallMs: 60_000, hardMs: 60_000 } });
  expect((await farm.coordinator.reportOf(assignment.fence)).outcome.outcome).toBe("published");
});
