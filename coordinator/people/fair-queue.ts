import { AppError } from "../../shared/basics/errors.ts";
import { getOrInsert } from "../../shared/basics/get-or-insert.ts";

/** The maximum that may wait in all queues together. */
export const mostWaiting = 256;

type Waiting = { readonly run: () => Promise<void>; readonly refuse: () => void };

/**
 * Runs expensive work one after the other. Queues take turns, so flooding one of them delays the others by at most one
 * piece of work; those of a lower rank go first, whenever they come. If too much waits, the oldest entry of the queue of the
 * highest rank, and among these of the longest, is refused: whoever comes last is not shut out by a flood.
 */
export const createFairQueue = (rankOf: (name: string) => number = () => 0) => {
  const lines = new Map<string, Waiting[]>();
  let waiting = 0;
  let isRunning = false;

  const run = async (): Promise<void> => {
    isRunning = true;
    for (let next = takeFirst(lines, rankOf); next; next = takeFirst(lines, rankOf)) {
      waiting -= 1;
      await next.run();
    }
    isRunning = false;
  };

  return {
    take: <T>(name: string, work: () => Promise<T>): Promise<T> =>
      new Promise<T>((resolve, reject) => {
        const turn = { run: () => work().then(resolve, reject), refuse: () => reject(tooMany()) };
        getOrInsert(lines, name, () => []).push(turn);
        waiting += 1;
        if (waiting > mostWaiting) {
          const name = worstOf(lines, rankOf);
          const line = lines.get(name);
          line?.shift()?.refuse();
          if (line?.length === 0) lines.delete(name);
          waiting -= 1;
        }
        if (!isRunning) void run();
      }),
  };
};

type Lines = Map<string, Waiting[]>;
type RankOf = (name: string) => number;

/** Takes the first entry of the next queue of the lowest rank, which then moves to the end. */
const takeFirst = (lines: Lines, rankOf: RankOf): Waiting | undefined => {
  const ranked = [...lines.keys()].map((name) => ({ name, rank: rankOf(name) }));
  const [first] = ranked.sort((a, b) => a.rank - b.rank); // a stable sort keeps their turns
  if (!first) return undefined;
  const line = lines.get(first.name) ?? [];
  lines.delete(first.name);
  const next = line.shift();
  if (line.length > 0) lines.set(first.name, line);
  return next;
};

const worstOf = (lines: Lines, rankOf: RankOf): string => {
  const ranked = [...lines].map(([name, { length }]) => ({ name, length, rank: rankOf(name) }));
  return ranked.sort((a, b) => b.rank - a.rank || b.length - a.length)[0]?.name ?? "";
};

const tooMany = () => new AppError("TOO_MANY_ATTEMPTS", "Too many people sign in just now; try again");
