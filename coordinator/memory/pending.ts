import type { Decided } from "./decider.ts";

/**
 * Maximum bytes of decisions that are not durable. Beyond that, decisions wait: a slow disk must not fill the memory.
 */
const mostUndurable = 64e6;

export type Pending = ReturnType<typeof createPending>;

/** Decisions that wait for the next batch, and the bytes of all that are not durable. */
export const createPending = () => {
  let waiting: Decided[] = [];
  let undurable = 0;
  const isFull = (): boolean => undurable >= mostUndurable;
  return {
    add: (found: Decided): void => {
      waiting.push(found);
      undurable += found.draft.weight();
    },
    /** Takes all that wait. Their bytes count until `forgetTaken`. */
    take: (): readonly Decided[] => {
      const taken = waiting;
      waiting = [];
      return taken;
    },
    /** What was taken is durable or undone. True if there is room again for decisions. */
    forgetTaken: (): boolean => {
      const wasFull = isFull();
      undurable = waiting.reduce((total, { draft }) => total + draft.weight(), 0);
      return wasFull;
    },
    count: (): number => waiting.length,
    isFull,
  };
};
