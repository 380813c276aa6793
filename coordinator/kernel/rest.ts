import type { Clock } from "../../shared/basics/clock.ts";
import type { StoreRefusal } from "../store/batch.ts";

const restMs = 1000;

/**
 * A moment in which the farm begins nothing of its own accord, because the store has just refused to write: it would
 * refuse that too. What people and nodes ask for is tried nevertheless, and ends the rest if it is written.
 */
export const createRest = (clock: Pick<Clock, "after">, onEnd: () => void) => {
  let cancel: (() => void) | undefined;
  const end = (): void => {
    cancel?.();
    cancel = undefined;
    onEnd();
  };
  return {
    isOn: (): boolean => cancel !== undefined,
    /** A batch was written, or refused. */
    follow: (problem: StoreRefusal | undefined): void => {
      if (problem && problem.kind !== "content") cancel ??= clock.after(restMs, end);
      else if (cancel) end();
    },
  };
};
