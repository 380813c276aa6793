import { useSyncExternalStore } from "react";

/**
 * Rows keep their places while somebody points at them or has selected some: changes of order wait and are counted. A
 * row's own values still update in place.
 */
const createRowFreeze = () => {
  const listeners = new Set<() => void>();
  const reasons = new Set<string>();
  let missed = 0;
  let release: () => void = () => {};
  const tell = () => {
    for (const listener of listeners) listener();
  };
  return {
    /** One reason to hold rows begins or ends; when the last one ends, missed changes are read. */
    set: (reason: string, isHeld: boolean): void => {
      if (reasons.has(reason) === isHeld) return;
      if (isHeld) reasons.add(reason);
      else reasons.delete(reason);
      if (reasons.size > 0 || missed === 0) return;
      missed = 0;
      release();
      tell();
    },
    isFrozen: () => reasons.size > 0,
    /** Something would have moved. */
    miss: (count: number): void => {
      missed += count;
      tell();
    },
    /** Shows missed changes now. */
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

export const rowFreeze = createRowFreeze();

/** Changes that wait until rows may move. */
export const useMissed = (): number => useSyncExternalStore(rowFreeze.subscribe, rowFreeze.missed);
