import type { Clock } from "../../shared/basics/clock.ts";

/** Whether the last break was long ago. After a refusal, `onQuiet` is called when it is time to ask again. */
export const createDebounce = (clock: Pick<Clock, "monotonic" | "after">, ms: number, onQuiet: () => void) => {
  let brokenAt = Number.NEGATIVE_INFINITY;
  let cancel: (() => void) | undefined;
  return {
    isOn: (): boolean => {
      if (clock.monotonic() - brokenAt >= ms) return true;
      cancel ??= clock.after(ms, () => {
        cancel = undefined;
        onQuiet();
      });
      return false;
    },
    break: (): void => {
      brokenAt = clock.monotonic();
    },
    end: (): void => cancel?.(),
  };
};
