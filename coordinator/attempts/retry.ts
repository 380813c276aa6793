import { type Cause, causes } from "../../shared/model/failure.ts";

/**
 * Milliseconds until the next attempt. The configured delay is kept exactly; the cause adds an amount that doubles with
 * each retry up to `longestMs` and is half random, so that tasks that failed together do not retry together.
 * `retries`: the number so far. `random`: 0 to 1.
 */
export const retryDelayMs = ({
  delaySec,
  cause,
  retries,
  random,
  longestMs,
}: {
  readonly delaySec: number;
  readonly cause: Cause;
  readonly retries: number;
  readonly random: number;
  readonly longestMs: number;
}): number => {
  const addedMs = Math.min(longestMs, causes[cause].backOff * 1000 * 2 ** Math.min(retries, 20));
  return delaySec * 1000 + Math.round(addedMs * (1 - random / 2));
};
