import type { Clock } from "../../shared/basics/clock.ts";

/** Passes at most one value per `ms` and drops the others. For values that the next one replaces. */
export const createLatestValueLimit = <T>(clock: Clock, ms: number, pass: (value: T) => void): ((value: T) => void) => {
  let last = Number.NEGATIVE_INFINITY;
  return (value) => {
    const now = clock.monotonic();
    if (now - last < ms) return;
    last = now;
    pass(value);
  };
};
