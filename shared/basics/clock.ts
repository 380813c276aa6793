/**
 * Time is passed in: programs pass the system's clock, tests one that they move themselves. Milliseconds throughout.
 */
export type Clock = {
  /** Unix milliseconds. May jump; use it for times shown to people. */
  now(): number;
  /** Milliseconds that never go back. Use it for time-outs and speeds. */
  monotonic(): number;
  /** Calls `fn` once after `ms`; the returned function cancels it. */
  after(ms: number, fn: () => void): () => void;
  /** Calls `fn` every `ms` until the returned function is called. */
  every(ms: number, fn: () => void): () => void;
};

/** A promise that resolves after `ms` on the given clock, or at once when the signal aborts. */
export const sleep = (clock: Clock, ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      cancel();
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const cancel = clock.after(ms, done);
    if (signal?.aborted) return done();
    signal?.addEventListener("abort", done, { once: true });
  });
