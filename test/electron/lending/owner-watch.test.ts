import { expect, test } from "vitest";
import { createOwnerWatch } from "../../../electron/lending/owner-watch.ts";
import { createTestClock } from "../../helpers/clock.ts";

test("a watch that was stopped hears of no more sleep, however often it is started", () => {
  const listeners = new Set<(isAsleep: boolean) => void>();
  const told: unknown[] = [];
  const clock = createTestClock();
  const desktop = {
    idleMs: () => undefined,
    isOnBattery: () => undefined,
    onSleep: (listener: (isAsleep: boolean) => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const watch = createOwnerWatch({ desktop, clock, tell: (sense) => told.push(sense) });
  watch.start()();
  const stop = watch.start();
  for (const listener of listeners) listener(true);
  expect(told).toEqual([{ isAsleep: true }]);
  stop();
  expect([listeners.size, clock.waiting()]).toEqual([0, 0]);
});
