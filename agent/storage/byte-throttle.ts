import { type Clock, sleep } from "../../shared/clock.ts";

/** Lets bytes through at most so fast; one throttle holds for all who use it together. */
export type Throttle = (bytes: number, signal: AbortSignal) => Promise<void>;

/** So many milliseconds of bytes may go at once: a wait shorter than this is not worth it. */
const burstMs = 100;

export const createByteThrottle = (bytesPerSecond: number | undefined, clock: Clock): Throttle => {
  if (bytesPerSecond === undefined) return async () => undefined;
  let free = clock.monotonic();
  return async (bytes, signal) => {
    free = Math.max(free, clock.monotonic()) + (bytes * 1000) / bytesPerSecond;
    const wait = free - clock.monotonic();
    if (wait > burstMs) await sleep(clock, wait, signal);
  };
};
