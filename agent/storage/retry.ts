import { type Clock, sleep } from "../../shared/clock.ts";
import { isPassing } from "./storage-error.ts";

/** Tries without any progress in between, and the wait before each: a server that restarts is back by then. */
export const patience = [500, 1000, 2000, 4000, 8000, 15_000];

type Retry<T> = {
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
  /** Safe to repeat. */
  readonly act: () => Promise<T>;
  /** Called before the first repetition. */
  readonly onBreak?: (error: unknown) => void;
};

/** Repeats an operation while its error may pass. */
export const retry = async <T>({ clock, signal, act, onBreak }: Retry<T>): Promise<T> => {
  for (let tries = 0; ; tries += 1) {
    try {
      return await act();
    } catch (error) {
      signal?.throwIfAborted();
      const wait = patience[tries];
      if (!isPassing(error) || wait === undefined) throw error;
      if (tries === 0) onBreak?.(error);
      await sleep(clock, wait, signal);
      signal?.throwIfAborted();
    }
  }
};
