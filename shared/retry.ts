import { type Cause, causes } from "./causes.ts";

/** What a cause adds to a delay never grows beyond this. */
const longestSec = 600;

/**
 * Milliseconds until the next attempt. The configured delay is kept to the millisecond; on top comes what the cause adds:
 * twice as much with each retry, and half of it by chance, so that tasks that failed together do not come back together.
 * `retries`: those that were made already. `random`: 0 to 1.
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
