import type { Clock } from "../../shared/basics/clock.ts";

/** So often is looked whether the page still reads something; so long at most, before the rest is read all the same. */
const [lookMs, mostMs] = [250, 10_000];

type Needs = {
  /** The page itself, or an answer that it asked for, is still to come. */
  readonly isReading: () => boolean;
  /** What is read, each once the one before it is there. */
  readonly parts: Iterable<() => Promise<unknown> | undefined>;
  /** Resolves when the browser has nothing else to do. */
  readonly idle: () => Promise<void>;
  /** Whoever pays for each byte reads what they ask for alone. */
  readonly savesData: boolean;
  readonly clock: Clock;
};

/** Reads what nobody has asked for yet, once what somebody waits for is shown: the rest is several times its size. */
export const readAhead = async ({ isReading, parts, idle, savesData, clock }: Needs): Promise<void> => {
  if (savesData) return;
  await whenShown(isReading, clock);
  for (const read of parts) {
    await idle();
    await read();
  }
};

/** Twice in a row nothing is to come: one answer often leads to the next question. */
const whenShown = (isReading: () => boolean, clock: Clock): Promise<void> =>
  new Promise((resolve) => {
    let quiet = 0;
    let looks = 0;
    const stop = clock.every(lookMs, () => {
      looks += 1;
      quiet = isReading() ? 0 : quiet + 1;
      if (quiet < 2 && looks * lookMs < mostMs) return;
      stop();
      resolve();
    });
  });

/** What is left of a frame where something small moves; who scrolls a long list leaves less. */
const [freeMs, mostWaitMs] = [6, 3000];

/** Resolves when the browser has time; after some seconds also while it has none. */
export const idleTime = (clock: Clock): Promise<void> =>
  new Promise((resolve) => {
    const latest = clock.monotonic() + mostWaitMs;
    const ask = () =>
      requestIdleCallback(
        (deadline) => {
          if (deadline.timeRemaining() >= freeMs || clock.monotonic() >= latest) resolve();
          else ask();
        },
        { timeout: Math.max(1, latest - clock.monotonic()) },
      );
    ask();
  });

/** Whether somebody told the browser to read no more than it must. */
export const savesData = (): boolean =>
  "connection" in navigator && (navigator.connection as { readonly saveData?: boolean } | undefined)?.saveData === true; // not in the DOM's own types
