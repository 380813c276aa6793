import type { Clock } from "../../shared/basics/clock.ts";
import { systemClock } from "../../shared/basics/system-clock.ts";

export type TestClock = Clock & {
  /** Moves both times on; timers that come due fire in their order, and what they began gets its turn. */
  readonly advance: (ms: number) => Promise<void>;
  /** Shifts the people's time alone, as setting the machine's clock does. */
  readonly jump: (ms: number) => void;
  /** Timers that wait. */
  readonly waiting: () => number;
};

type Timer = { due: number; readonly every: number | undefined; readonly fn: () => void };

/** 2026-11-01T00:00:00Z: a day that no test depends on. */
export const testStart = Date.UTC(2026, 10, 1);

/** Real time that passes so many times as fast: for what waits for real programs and real sockets. */
export const createHurriedClock = (speed: number, start = testStart): Clock => ({
  now: () => Math.floor(start + speed * systemClock.monotonic()),
  monotonic: () => speed * systemClock.monotonic(),
  after: (ms, fn) => systemClock.after(ms / speed, fn),
  every: (ms, fn) => systemClock.every(ms / speed, fn),
});

/** A clock that stands still until a test moves it. */
export const createTestClock = (start = testStart): TestClock => {
  const timers = new Set<Timer>();
  let passed = 0;
  let shift = 0;

  const set = (ms: number, fn: () => void, every?: number) => {
    const timer = { due: passed + ms, every, fn };
    timers.add(timer);
    return () => {
      timers.delete(timer);
    };
  };

  const fire = (timer: Timer): void => {
    passed = Math.max(passed, timer.due);
    if (timer.every === undefined) timers.delete(timer);
    else timer.due += timer.every;
    timer.fn();
  };

  return {
    // Whole milliseconds, as Date.now() gives; the other time has fractions, as performance.now() has.
    now: () => Math.floor(start + passed + shift),
    monotonic: () => passed,
    after: (ms, fn) => set(ms, fn),
    every: (ms, fn) => set(ms, fn, ms),
    advance: async (ms) => {
      const until = passed + ms;
      for (;;) {
        const next = [...timers].sort((a, b) => a.due - b.due)[0];
        if (!next || next.due > until) break;
        fire(next);
        await turns();
      }
      passed = until;
      await turns();
    },
    jump: (ms) => {
      shift += ms;
    },
    waiting: () => timers.size,
  };
};

/** A few turns of the loop: what was begun may commit, and what follows from that as well. */
export const turns = async (count = 5): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};
