import { type Clock, sleep } from "../../shared/basics/clock.ts";
import { AppError } from "../../shared/basics/errors.ts";
import { signInRefusals } from "../../shared/people/refusals.ts";
import { hashText } from "../secrets/vault.ts";

/** The number of wrong tries without a penalty, and the maximum delay in milliseconds. */
const freeTries = 5;
const longestDelayMs = 5000;
const forgetAfterMs = 15 * 60_000;
const mostKeys = 10_000;
const longestKey = 64;
/** Parallel tries of one session; more would make guessing fast. */
const mostAtOnce = 4;
/**
 * Tries of one address for one name that may wait for each other, and the time between two of them after wrong ones.
 */
const mostInLine = 12;
const apartMs = 1000;

export type SignInThrottle = ReturnType<typeof createSignInThrottle>;

/** Slows down guessing, by address and by key; nobody is ever locked out. */
export const createSignInThrottle = (clock: Clock) => {
  const failures = createFailures(clock);
  return {
    /** Counts a failure and waits for its penalty. */
    punish: async (keys: readonly string[]): Promise<void> => {
      failures.forgetOldest();
      const count = Math.max(...keys.map(failures.note));
      if (count > freeTries) await sleep(clock, Math.min(longestDelayMs, 100 * 2 ** (count - freeTries)));
    },
    oneByOne: createLines(clock, failures),
    fewAtOnce: createConcurrencyLimit(),
    forgive: (keys: readonly string[]): void => {
      for (const key of keys) failures.forget(key);
    },
    /** The number of remembered keys. */
    size: failures.size,
  };
};

type Failures = ReturnType<typeof createFailures>;

/** How often tries with a key were wrong, in the order of the last failure. */
const createFailures = (clock: Clock) => {
  const failures = new Map<string, { count: number; last: number }>();
  return {
    forgetOldest: (): void => {
      const now = clock.monotonic();
      for (const [key, { last }] of failures) {
        if (failures.size <= mostKeys && now - last < forgetAfterMs) return;
        failures.delete(key);
      }
    },
    note: (name: string): number => {
      const key = shortened(name);
      const count = (failures.get(key)?.count ?? 0) + 1;
      failures.delete(key);
      failures.set(key, { count, last: clock.monotonic() });
      return count;
    },
    forget: (key: string): boolean => failures.delete(shortened(key)),
    size: (): number => failures.size,
  };
};

/**
 * Tries with the same key are made one after the other, and a second apart once several were wrong. Whoever waits
 * for a penalty is out of the line, so a right try among wrong ones succeeds within seconds.
 */
const createLines = (clock: Clock, failures: Failures) => {
  const lines = new Map<string, { length: number; end: Promise<void> }>();
  return async <T>(key: string, tryIt: () => Promise<T>): Promise<T> => {
    const line = lines.get(key) ?? { length: 0, end: Promise.resolve() };
    if (line.length >= mostInLine) throw tooMany();
    lines.set(key, line);
    line.length += 1;
    const before = line.end;
    const turn = Promise.withResolvers<void>();
    line.end = turn.promise;
    await before;
    let pause = 0;
    try {
      const made = await tryIt();
      failures.forget(key);
      return made;
    } catch (problem) {
      if (failures.note(key) > freeTries) pause = apartMs;
      throw problem;
    } finally {
      line.length -= 1;
      const next = (): void => {
        turn.resolve();
        if (line.length === 0) lines.delete(key);
      };
      if (pause === 0) next();
      else clock.after(pause, next);
    }
  };
};

/** Refuses if too many tries with the same key are already running, including their penalties. */
const createConcurrencyLimit = () => {
  const running = new Map<string, number>();
  return async <T>(key: string, fn: () => Promise<T>): Promise<T> => {
    const others = running.get(key) ?? 0;
    if (others >= mostAtOnce) throw tooMany();
    running.set(key, others + 1);
    try {
      return await fn();
    } finally {
      const left = (running.get(key) ?? 1) - 1;
      if (left > 0) running.set(key, left);
      else running.delete(key);
    }
  };
};

const tooMany = () => new AppError("TOO_MANY_ATTEMPTS", signInRefusals.tooMany);

/** A credential may be as long as a header, so only a hash is kept. */
const shortened = (key: string): string => (key.length > longestKey ? hashText(key) : key);
