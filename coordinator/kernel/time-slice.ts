import type { Clock } from "../../shared/basics/clock.ts";

/** Milliseconds of one event-loop turn that may be spent on such work. The rest waits for the next turn, in order. */
const longestMs = 2;

/** Work on so many characters takes well below a millisecond. */
const smallText = 16_384;

/**
 * Runs a piece of work, such as parsing a body, in an event-loop turn that has time for it. Work on so many `characters`
 * that it is small goes before larger work, which has at least one piece of each turn.
 */
export type TimeSlice = <T>(work: () => T, characters?: number) => Promise<T>;

export const createTimeSlice = (
  { monotonic }: Pick<Clock, "monotonic">,
  nextTurn: (fn: () => void) => void = (fn) => void setImmediate(fn),
): TimeSlice => {
  const small: (() => void)[] = [];
  const large: (() => void)[] = [];
  let spent = 0;
  let isTurning = false;

  const turn = (): void => {
    isTurning = false;
    spent = 0;
    let hasLarge = false;
    while (spent < longestMs && small.length + large.length > 0) {
      const piece = small.shift();
      hasLarge ||= piece === undefined;
      (piece ?? large.shift())?.();
    }
    if (!hasLarge) large.shift()?.();
  };
  const spend = (work: () => void): void => {
    const begun = monotonic();
    work();
    spent += monotonic() - begun;
    if (isTurning) return;
    isTurning = true;
    nextTurn(turn);
  };

  return <T>(work: () => T, characters = Number.POSITIVE_INFINITY) =>
    new Promise<T>((resolve, reject) => {
      const run = () =>
        spend(() => {
          try {
            resolve(work());
          } catch (problem) {
            reject(problem);
          }
        });
      const [line, before] = characters <= smallText ? [small, small.length] : [large, small.length + large.length];
      if (spent < longestMs && before === 0) run();
      else line.push(run);
    });
};

/** So many items of a long list are looked at in one piece. */
const itemsAtOnce = 20;

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
