import type { Clock } from "../../shared/basics/clock.ts";

/**
 * The last answer to a slow query. Reading it is free, and refreshes it in the background once it is old. Undefined
 * until the first answer, and if the query failed.
 */
export const createBackgroundValue = <T>(clock: Clock, everyMs: number, ask: () => Promise<T | undefined>) => {
  let value: T | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  let isAsking = false;
  return (): T | undefined => {
    if (!isAsking && clock.monotonic() - askedAt >= everyMs) {
      isAsking = true;
      askedAt = clock.monotonic();
      void ask()
        .catch(() => undefined) // unknown values are ignored
        .then((answer) => {
          value = answer;
          isAsking = false;
        });
    }
    return value;
  };
};
