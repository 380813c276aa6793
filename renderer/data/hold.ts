import { useSyncExternalStore } from "react";

/**
 * Rows stand still while somebody points at them or has chosen some: changes of order wait, and are counted. What a row
 * says of itself still changes in its place.
 */
const createHold = () => {
  const listeners = new Set<() => void>();
  const reasons = new Set<string>();
  let missed = 0;
  let release: () => void = () => {};
  const tell = () => {
    for (const listener of listeners) listener();
  };
  return {
    /** One reason to stand still begins or ends; with the last one what was missed is read. */
    set: (reason: string, isHeld: boolean): void => {
      if (reasons.has(reason) === isHeld) return;
      if (isHeld) reasons.add(reason);
      else reasons.delete(reason);
      if (reasons.size > 0 || missed === 0) return;
      missed = 0;
      release();
      tell();
    },
    isHeld: () => reasons.size > 0,
    /** Something would have moved. */
    miss: (count: number): void => {
      missed += count;
      tell();
    },
    /** Shows what was missed now. */
    show: (): void => {
      missed = 0;
      release();
      tell();
    },
    onRelease: (fn: () => void): void => {
      release = fn;
    },
    missed: () => missed,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

export const rowHold = createHold();

/** Changes that wait until rows may move. */
export const useMissed = (): number => useSyncExternalStore(rowHold.subscribe, rowHold.missed);
