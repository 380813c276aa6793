import { afterEach, describe, expect, test } from "vitest";
import { createWatchdog } from "../../../agent/attempt/watchdog.ts";
import type { Clock } from "../../../shared/basics/clock.ts";
import { systemClock } from "../../../shared/basics/system-clock.ts";
import { aFarm, anAssignment, type Farm } from "../../helpers/agent/agent-fixture.ts";
import { createTestClock } from "../../helpers/clock.ts";

const hour = 3_600_000;
const limits = { stallMs: 60_000, hardMs: 600_000 };
let farm: Farm | undefined;
afterEach(async () => {
  await farm?.end();
  farm = undefined;
});

describe.each([
  ["ahead", hour],
  ["back", -hour],
])("the machine's clock is set an hour %s, and", (_, jump) => {
  test("an attempt that makes no progress is ended after its time", async () => {
    const clock = createTestClock();
    const dog = createWatchdog(clock, limits, new AbortController().signal);
    clock.jump(jump);
    await clock.advance(59_000);
    const before = dog.signal.aborted;
    await clock.advance(11_000);
    dog.stop();
    expect([before, dog.signal.aborted, clock.waiting()]).toEqual([false, true, 0]);
  });

  test("an attempt that makes progress is ended after its time in all", async () => {
    const clock = createTestClock();
    const dog = createWatchdog(clock, limits, new AbortController().signal);
    clock.jump(jump);
    const moveUntil = async (seconds: number) => {
      for (; clock.monotonic() < seconds * 1000; ) {
        dog.moved({ frame: clock.monotonic() });
        await clock.advance(10_000);
      }
    };
    await moveUntil(590);
    const before = dog.signal.aborted;
    await moveUntil(620);
    dog.stop();
    expect([before, dog.signal.aborted]).toEqual([false, true]);
  });

  test("a node stays connected, and what runs there goes on", async () => {
    let shift = 0;
    const clock: Clock = { ...systemClock, now: () => systemClock.now() + shift };
    farm = await aFarm({ heartbeatMs: 1000 });
    await farm.start({ clock });
    await farm.coordinator.receive("hello");
    const assignment = anAssignment({ root: farm.root, argv: ["slow", "made"] });
    farm.coordinator.assign({ ...assignment, limits: { stallMs: hour / 2, hardMs: hour / 2 } });
    await farm.coordinator.receive("progress");
    shift = jump;
    const beats = () => farm?.coordinator.received.filter(({ type }) => type === "heartbeat").length ?? 0;
    await farm.coordinator.receive("heartbeat", beats());
    const { outcome } = await farm.coordinator.reportOf(assignment.fence);
    const hellos = farm.coordinator.received.filter(({ type }) => type === "hello").length;
    expect([outcome.outcome, hellos]).toEqual(["published", 1]);
  });
});
