import { type Cause, causes } from "./causes.ts";

/** The maximum that a cause adds to a delay. */
const longestSec = 600;

/**
 * Milliseconds until the next attempt. The configured delay is kept exactly; the cause adds an amount that doubles with
 * each retry and is half random, so that tasks that failed together do not retry together. `retries`: the number so
 * far. `random`: 0 to 1.
 */
export const retryDelayMs = ({
  delaySec,
  cause,
  retries,
  random,
}: {
  readonly delaySec: number;
  readonly cause: Cause;
  readonly retries: number;
  readonly random: number;
}): number => {
  const added = Math.min(longestSec, causes[cause].backOff * 2 ** Math.min(retries, 20));
  return delaySec * 1000 + Math.round(added * 1000 * (1 - random / 2));
};
