import { type Clock, sleep } from "../../shared/clock.ts";

/** Limits the transfer rate; all users of one throttle share its limit. */
export type Throttle = (bytes: number, signal: AbortSignal) => Promise<void>;

/** This many milliseconds of data may pass at once: a shorter wait is not worth it. */
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
