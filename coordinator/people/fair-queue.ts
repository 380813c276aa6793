import { AppError } from "../../shared/basics/errors.ts";
import { getOrInsert } from "../../shared/basics/get-or-insert.ts";

/** The maximum that may wait in all queues together. */
export const mostWaiting = 256;

type Waiting = { readonly run: () => Promise<void>; readonly refuse: () => void };

/**
 * Runs expensive work one after the other. Queues take turns, so flooding one of them delays the others by at most one
 * piece of work. If too much waits, the last entry of the longest queue is refused.
 */
export const createFairQueue = () => {
  const lines = new Map<string, Waiting[]>();
  let waiting = 0;
  let isRunning = false;

  const run = async (): Promise<void> => {
    isRunning = true;
    for (let next = takeFirst(lines); next; next = takeFirst(lines)) {
      waiting -= 1;
      await next.run();
    }
    isRunning = false;
  };

  return {
    isIdle: (): boolean => !isRunning,
    take: <T>(name: string, work: () => Promise<T>): Promise<T> =>
      new Promise<T>((resolve, reject) => {
        const turn = { run: () => work().then(resolve, reject), refuse: () => reject(tooMany()) };
        getOrInsert(lines, name, () => []).push(turn);
        waiting += 1;
        if (waiting > mostWaiting) {
          longestOf(lines).pop()?.refuse();
          waiting -= 1;
        }
        if (!isRunning) void run();
      }),
  };
};

/** Takes the first entry of the next queue, which then moves to the end. */
const takeFirst = (lines: Map<string, Waiting[]>): Waiting | undefined => {
  for (const [name, line] of lines) {
    lines.delete(name);
    const first = line.shift();
    if (line.length > 0) lines.set(name, line);
    if (first) return first;
  }
  return undefined;
};

const longestOf = (lines: ReadonlyMap<string, Waiting[]>): Waiting[] =>
  [...lines.values()].reduce((longest, line) => (line.length > longest.length ? line : longest), []);

const tooMany = () => new AppError("TOO_MANY_ATTEMPTS", "Too many people sign in just now; try again");
