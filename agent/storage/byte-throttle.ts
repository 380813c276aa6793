import { type Clock, sleep } from "../../shared/basics/clock.ts";

/** Limits the transfer rate; all users of one throttle share its limit. */
export type ByteThrottle = (bytes: number, signal: AbortSignal) => Promise<void>;

/** This many milliseconds of data may pass at once: a shorter wait is not worth it. */
const burstMs = 100;

/** How fast bytes are sent: `take` resolves when so many more may go, at most `most` at a time. */
export type Pace = { readonly most: number; readonly take: (bytes: number) => Promise<void> };

/** Pieces of a file that is sent; each is a promise of the file system, so they are not small. */
const piece = 1024 * 1024;
/** A slow transfer still moves a few times a second, or its server takes it for dead. */
const perSecond = 4;

export const createPace = (bytesPerSecond: number | undefined, take: Pace["take"]): Pace => ({
  most: Math.max(1024, Math.min(piece, Math.floor((bytesPerSecond ?? Number.POSITIVE_INFINITY) / perSecond))),
  take,
});

/** As fast as it goes. */
export const unpaced: Pace = createPace(undefined, async () => undefined);

export const createByteThrottle = (bytesPerSecond: number | undefined, clock: Clock): ByteThrottle => {
  if (bytesPerSecond === undefined) return async () => undefined;
  let free = clock.monotonic();
  return async (bytes, signal) => {
    free = Math.max(free, clock.monotonic()) + (bytes * 1000) / bytesPerSecond;
    const wait = free - clock.monotonic();
    if (wait > burstMs) await sleep(clock, wait, signal);
  };
};
