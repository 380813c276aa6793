import type { Clock } from "../../shared/basics/clock.ts";

/** Milliseconds of one event-loop turn that may be spent on such work. The rest waits for the next turn, in order. */
const longestMs = 5;

/** Runs a piece of work, such as parsing a body, in an event-loop turn that has time for it. */
export type TimeSlice = <T>(work: () => T) => Promise<T>;

export const createTimeSlice = (
  { monotonic }: Pick<Clock, "monotonic">,
  nextTurn: (fn: () => void) => void = (fn) => void setImmediate(fn),
): TimeSlice => {
  const waiting: (() => void)[] = [];
  let spent = 0;
  let isTurning = false;

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

  return <T>(work: () => T) =>
    new Promise<T>((resolve, reject) => {
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
    });
};

/** So many items of a long list are looked at in one piece. */
const itemsAtOnce = 50;

/** Maps a long list piece by piece, in order, each in a turn of the loop that has time for it. */
export const mapInSlices = async <T, R>(
  timeSlice: TimeSlice,
  items: readonly T[],
  use: (item: T) => R,
): Promise<R[]> => {
  const all: R[] = [];
  for (let from = 0; from < items.length; from += itemsAtOnce)
    all.push(...(await timeSlice(() => items.slice(from, from + itemsAtOnce).map(use))));
  return all;
};
