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

/** What is left of a frame where something small moves, and how long is waited for a frame that leaves it. */
const [freeMs, mostWaitMs] = [6, 3000];
/** Each part's looks cost a frame: so long after somebody has scrolled none is read, and at most so long in all. */
const [restMs, mostHeldMs] = [500, 30_000];

/** Resolves, each time it is called, when the browser has time and nobody scrolls; after a while in any case. */
export const watchIdleTime = (clock: Clock): (() => Promise<void>) => {
  let scrolled = Number.NEGATIVE_INFINITY;
  const onScroll = () => {
    scrolled = clock.monotonic();
  };
  document.addEventListener("scroll", onScroll, { capture: true, passive: true });
  return () =>
    new Promise((resolve) => {
      const begun = clock.monotonic();
      const look = (deadline: IdleDeadline) => {
        const now = clock.monotonic();
        const isAtRest = now - scrolled >= restMs || now - begun >= mostHeldMs;
        if (!isAtRest) clock.after(restMs, ask);
        else if (deadline.timeRemaining() >= freeMs || now - begun >= mostWaitMs) resolve();
        else ask();
      };
      const ask = () => requestIdleCallback(look, { timeout: mostWaitMs });
      ask();
    });
};

/** Whether somebody told the browser to read no more than it must. */
export const savesData = (): boolean =>
  "connection" in navigator && (navigator.connection as { readonly saveData?: boolean } | undefined)?.saveData === true; // not in the DOM's own types
