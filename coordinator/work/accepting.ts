import type { Clock } from "../../shared/clock.ts";

/** Milliseconds of one turn of the loop in which bodies and jobs are read: beyond it they wait for the next turn, in order. */
const longestMs = 5;
/** Submissions in one commit beyond which jobs are begun later: those that wait in line are answered first. */
const mostAtOnce = 4;
/** A burst is over when so many milliseconds have passed without more of it. */
const quietMs = 20;

export type Accepting = ReturnType<typeof createAccepting>;

/** How submissions come in: one by one, or so many together that all of them are answered before any is begun. */
export const createAccepting = (
  { monotonic }: Pick<Clock, "monotonic">,
  nextTurn: (fn: () => void) => void = (fn) => void setImmediate(fn),
) => {
  const waiting: (() => void)[] = [];
  let [spent, open] = [0, 0];
  let isTurning = false;
  let lastOfBurst = Number.NEGATIVE_INFINITY;

  const turn = (): void => {
    isTurning = false;
    spent = 0;
    while (spent < longestMs && waiting.length > 0) waiting.shift()?.();
  };
  const spend = (work: () => void): void => {
    const begun = monotonic();
    work();
    spent += monotonic() - begun;
    if (isTurning) return;
    isTurning = true;
    nextTurn(turn);
  };
  const noteBurst = (): void => {
    if (open > mostAtOnce) lastOfBurst = monotonic();
  };

  return {
    /** Runs what reads a body, or the job in it, in a turn of the loop that has time for it. */
    read: <T>(work: () => T): Promise<T> =>
      new Promise((resolve, reject) => {
        const run = () =>
          spend(() => {
            try {
              resolve(work());
            } catch (problem) {
              reject(problem);
            }
          });
        if (spent < longestMs && waiting.length === 0) run();
        else waiting.push(run);
      }),
    /** Counts a submission as long as its commit lasts. */
    during: async <T>(commit: () => Promise<T>): Promise<T> => {
      open += 1;
      noteBurst();
      try {
        return await commit();
      } finally {
        open -= 1;
      }
    },
    /** Whether others are waiting for an answer, or were a moment ago. */
    isBurst: (): boolean => {
      noteBurst();
      return monotonic() - lastOfBurst < quietMs;
    },
  };
};
