import type { Clock } from "../shared/clock.ts";

/** Lets at most one value through every `ms`; those between are dropped, which suits what the next one replaces. */
export const createThrottle = <T>(clock: Clock, ms: number, pass: (value: T) => void): ((value: T) => void) => {
  let last = Number.NEGATIVE_INFINITY;
  return (value) => {
    const now = clock.monotonic();
    if (now - last < ms) return;
    last = now;
    pass(value);
  };
};
