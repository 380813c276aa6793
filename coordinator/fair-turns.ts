import { AppError } from "../shared/errors.ts";

/** What may wait in all lines together. */
export const mostWaiting = 256;

type Waiting = { readonly run: () => Promise<void>; readonly refuse: () => void };

/**
 * Does what costs processor time one after the other. Lines take turns, so that whoever floods one of them delays nobody
 * else by more than one piece of work. Where too much waits, the last of the longest line is refused.
 */
export const createFairTurns = () => {
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
        const line = lines.get(name) ?? [];
        lines.set(name, line);
        line.push({ run: () => work().then(resolve, reject), refuse: () => reject(tooMany()) });
        waiting += 1;
        if (waiting > mostWaiting) {
          longestOf(lines).pop()?.refuse();
          waiting -= 1;
        }
        if (!isRunning) void run();
      }),
  };
};

/** The first of the line whose turn it is; that line then comes last. */
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
