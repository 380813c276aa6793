import { systemClock } from "../../shared/basics/system-clock.ts";

const names = ["SIGINT", "SIGTERM"] as const;
/** A terminal's Ctrl-C reaches a whole group of programs, of which each may pass it on: so soon it is the same request. */
const sameMs = 2000;

/**
 * Resolves when the program is asked to stop. Call it early, so that no request is missed. Whoever asks again later does not
 * want to wait: the program ends at once.
 */
export const untilStopped = (): Promise<void> =>
  new Promise((resolve) => {
    let asked: number | undefined;
    const onSignal = (): void => {
      const now = systemClock.monotonic();
      asked ??= now;
      if (now - asked > sameMs) process.exit(1);
      resolve();
    };
    for (const name of names) process.on(name, onSignal);
  });
