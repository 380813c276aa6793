import { type Clock, sleep } from "../../shared/clock.ts";
import { isPassing } from "./storage-error.ts";

/** Milliseconds before each repetition without any progress in between; none after the last one. */
export type Patience = readonly number[];

/** A server that restarts is back by then. */
export const defaultPatienceSec = 30;

const [firstMs, longestMs] = [500, 15_000];

/** Ever longer waits, which end after about so many seconds. */
export const patienceOf = (seconds: number): Patience => {
  const waits: number[] = [];
  let [wait, sum] = [firstMs, firstMs];
  while (sum <= seconds * 1000 + firstMs) {
    waits.push(wait);
    wait = Math.min(longestMs, wait * 2);
    sum += wait;
  }
  return waits;
};

type Retry<T> = {
  readonly patience: Patience;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
  /** Safe to repeat. */
  readonly act: () => Promise<T>;
  /** Called before the first repetition. */
  readonly onBreak?: (error: unknown) => void;
};

/** Repeats an operation while its error may pass. */
export const retry = async <T>({ patience, clock, signal, act, onBreak }: Retry<T>): Promise<T> => {
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
