import { type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import type { Clock } from "../../shared/basics/clock.ts";
import type { Secret } from "../../shared/basics/secret.ts";
import { newSalt } from "../secrets/vault.ts";
import { createFairQueue } from "./fair-queue.ts";

/** The cost of one hash: `2 ** logN` blocks of `r` × 128 bytes in memory, `p` passes. */
export type PasswordCost = { readonly logN: number; readonly r: number; readonly p: number };

/** 32 MB, and a few tenths of a second on machines of 2026. */
export const passwordCost: PasswordCost = { logN: 15, r: 8, p: 3 };

export type Passwords = ReturnType<typeof createPasswords>;

/**
 * Slow password hashes, computed on the thread pool one after the other: many parallel sign-ins need no more memory
 * than one, and parallel guessing is no faster. Parameters and salt are stored with each hash.
 */
export const createPasswords = (clock: Clock, cost: PasswordCost = passwordCost) => {
  const guesses = createGuesses(clock);
  const turns = createFairQueue(guesses.count);

  const hash = (password: Secret, line = ""): Promise<string> =>
    turns.take(line, async () => {
      const salt = newSalt();
      const key = await derive(password, salt, cost);
      return ["scrypt", cost.logN, cost.r, cost.p, salt.toString("base64url"), key.toString("base64url")].join("$");
    });

  /** Stands for the password of whoever does not exist. */
  const nobodys = [
    "scrypt",
    cost.logN,
    cost.r,
    cost.p,
    newSalt().toString("base64url"),
    Buffer.alloc(32).toString("base64url"),
  ];

  return {
    hash,
    /**
     * `line` is where it comes from, an address or a session: lines take turns, and those with fewer wrong passwords go
     * first. Without a stored password it is the same work in the same line, so timing does not tell which names exist.
     */
    isRight: async (password: Secret, stored: string | undefined, line = ""): Promise<boolean> => {
      const [, logN, r, p, salt = "", key = ""] = (stored ?? nobodys.join("$")).split("$");
      const kept = { logN: Number(logN), r: Number(r), p: Number(p) };
      const made = await turns.take(line, () => derive(password, Buffer.from(salt, "base64url"), kept));
      const isRight = timingSafeEqual(made, Buffer.from(key, "base64url")) && stored !== undefined;
      guesses.note(line, isRight);
      return isRight;
    },
  };
};

/** Wrong passwords are remembered for this long, of so many lines. */
const rememberMs = 15 * 60_000;
const mostLines = 10_000;

/** How many wrong passwords came from each line lately. */
const createGuesses = (clock: Clock) => {
  const wrong = new Map<string, { readonly count: number; readonly last: number }>();
  const recent = (line: string): number => {
    const known = wrong.get(line);
    return known && clock.monotonic() - known.last < rememberMs ? known.count : 0;
  };
  return {
    count: recent,
    note: (line: string, isRight: boolean): void => {
      const count = recent(line) + 1;
      wrong.delete(line);
      if (!isRight) wrong.set(line, { count, last: clock.monotonic() });
      for (const oldest of wrong.keys()) if (wrong.size > mostLines) wrong.delete(oldest);
    },
  };
};

/** One text has more than one form in Unicode: keyboards differ, the password does not. */
const derive = (password: Secret, salt: Buffer, { logN, r, p }: PasswordCost): Promise<Buffer> => {
  const N = 2 ** logN;
  const options: ScryptOptions = { N, r, p, maxmem: 256 * N * r };
  return new Promise((resolve, reject) => {
    scrypt(password.reveal().normalize("NFKC"), salt, 32, options, (problem, key) =>
      problem ? reject(problem) : resolve(key),
    );
  });
};
