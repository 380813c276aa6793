import { expect, test } from "vitest";
import { createSuspension } from "../../../agent/process/suspension.ts";
import { createTestClock, turns } from "../../helpers/clock.ts";

const aSuspension = (platform: NodeJS.Platform = "linux") => {
  const clock = createTestClock();
  const signals: string[] = [];
  const signal = (pid: number, name: string) => signals.push(`${name} ${pid}`) > 0;
  return { clock, signals, suspension: createSuspension({ clock, signal, platform }) };
};

test("all programs that run stand still and go on, those that ended are left alone", () => {
  const { signals, suspension } = aSuspension();
  suspension.enter(7);
  const leave = suspension.enter(8);
  leave();
  suspension.suspend();
  suspension.suspend();
  suspension.enter(9);
  suspension.resume();
  expect(signals).toEqual(["SIGSTOP 7", "SIGSTOP 9", "SIGCONT 7", "SIGCONT 9"]);
});

test("the clock stands still meanwhile, and its timers keep what was left of them", async () => {
  const { clock, suspension } = aSuspension();
  const fired: string[] = [];
  suspension.clock.after(1000, () => fired.push("once"));
  suspension.clock.every(400, () => fired.push("tick"));
  await clock.advance(500);
  suspension.suspend();
  await clock.advance(1_000_000);
  expect([fired, suspension.clock.monotonic()]).toEqual([["tick"], 500]);

  suspension.resume();
  await clock.advance(299);
  expect(fired).toEqual(["tick"]);
  await clock.advance(201);
  expect([fired, suspension.clock.monotonic()]).toEqual([["tick", "tick", "once"], 1000]);
});

test("a timer that is set or cancelled while it stands still begins or ends with the rest", async () => {
  const { clock, suspension } = aSuspension();
  const fired: string[] = [];
  const cancel = suspension.clock.after(10, () => fired.push("cancelled"));
  suspension.suspend();
  suspension.clock.after(10, () => fired.push("set meanwhile"));
  cancel();
  await clock.advance(100);
  expect(fired).toEqual([]);
  suspension.resume();
  await clock.advance(10);
  expect([fired, clock.waiting()]).toEqual([["set meanwhile"], 0]);
});

test("what would start waits until work goes on, or is told that it was aborted", async () => {
  const { suspension } = aSuspension();
  suspension.suspend();
  const abort = new AbortController();
  let isThrough = false;
  const through = suspension.pass().then(() => {
    isThrough = true;
  });
  const aborted = suspension.pass(abort.signal);
  await turns();
  expect(isThrough).toBe(false);
  abort.abort(new Error("dropped"));
  await expect(aborted).rejects.toThrow("dropped");
  suspension.resume();
  await through;
  expect(isThrough).toBe(true);
});

test("Windows cannot suspend and says so", () => {
  const { signals, suspension } = aSuspension("win32");
  suspension.enter(7);
  expect([suspension.suspend(), suspension.isOn(), signals]).toEqual([false, false, []]);
});
