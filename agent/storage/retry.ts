import { type Clock, sleep } from "../../shared/basics/clock.ts";
import { StorageError } from "./storage-error.ts";

/** Milliseconds before each repetition without any progress in between; none after the last one. */
export type Patience = readonly number[];

const [firstMs, longestMs] = [500, 15_000];
/** A server may ask for a longer pause than usual, but not keep a task for ever. */
const longestAskedMs = 60_000;

/** Ever longer waits, which end after about so many seconds. */
export const createPatience = (seconds: number): Patience => {
  const waits: number[] = [];
  let [wait, sum] = [firstMs, firstMs];
  while (sum <= seconds * 1000 + firstMs) {
    waits.push(wait);
    wait = Math.min(longestMs, wait * 2);
    sum += wait;
  }
  return waits;
};

/** Milliseconds until an operation that failed so many times may be repeated; undefined if that makes no sense. */
export const waitAfter = (error: unknown, patience: Patience, tries: number): number | undefined => {
  const wait = patience[tries];
  if (!(error instanceof StorageError) || !error.isPassing || wait === undefined) return undefined;
  return Math.max(wait, Math.min(error.afterMs, longestAskedMs));
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
      const wait = waitAfter(error, patience, tries);
      if (wait === undefined) throw error;
      if (tries === 0) onBreak?.(error);
      await sleep(clock, wait, signal);
      signal?.throwIfAborted();
    }
  }
};
