import type { Clock } from "../../shared/clock.ts";

/**
 * The last answer to a question that takes its time: reading it costs nothing and asks again in the background when it
 * has grown old. Undefined until the first answer, and where the question failed.
 */
export const createKept = <T>(clock: Clock, everyMs: number, ask: () => Promise<T | undefined>) => {
  let value: T | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  let isAsking = false;
  return (): T | undefined => {
    if (!isAsking && clock.monotonic() - askedAt >= everyMs) {
      isAsking = true;
      askedAt = clock.monotonic();
      void ask()
        .catch(() => undefined) // what cannot be told decides nothing
        .then((answer) => {
          value = answer;
          isAsking = false;
        });
    }
    return value;
  };
};
