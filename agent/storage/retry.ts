import { type Clock, sleep } from "../../shared/clock.ts";
import { isPassing } from "./storage-error.ts";

const waits = [500, 2000, 8000];

/** Repeats an operation a few times if its error may be temporary. The operation must be safe to repeat. */
export const retry = async <T>(clock: Clock, signal: AbortSignal | undefined, fn: () => Promise<T>): Promise<T> => {
  for (let tries = 0; ; tries += 1) {
    try {
      return await fn();
    } catch (error) {
      signal?.throwIfAborted();
      const wait = waits[tries];
      if (!isPassing(error) || wait === undefined) throw error;
      await sleep(clock, wait, signal);
      signal?.throwIfAborted();
    }
  }
};
