import { type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { type Clock, sleep } from "../../shared/basics/clock.ts";
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
  const turns = createFairQueue();
  let lastMs = 0;

  const derived = async (password: string, salt: Buffer, by: PasswordCost): Promise<Buffer> => {
    const begun = clock.monotonic();
    const key = await derive(password, salt, by);
    lastMs = clock.monotonic() - begun;
    return key;
  };

  const hash = (password: string, line = ""): Promise<string> =>
    turns.take(line, async () => {
      const salt = newSalt();
      const key = await derived(password, salt, cost);
      return ["scrypt", cost.logN, cost.r, cost.p, salt.toString("base64url"), key.toString("base64url")].join("$");
    });

  /**
   * Takes as long for unknown names, so that timing does not reveal which names exist. If passwords are already
   * waiting, it only waits: guesses at unknown names must not delay people.
   */
  const pretend = async (password: string, line: string): Promise<void> => {
    if (turns.isIdle()) await hash(password, line);
    else if (lastMs > 0) await sleep(clock, lastMs);
  };

  return {
    hash,
    /** `line` identifies the caller: callers take turns. */
    isRight: async (password: string, stored: string | undefined, line = ""): Promise<boolean> => {
      if (stored === undefined) {
        await pretend(password, line);
        return false;
      }
      const [, logN, r, p, salt = "", key = ""] = stored.split("$");
      const kept = { logN: Number(logN), r: Number(r), p: Number(p) };
      const made = await turns.take(line, () => derived(password, Buffer.from(salt, "base64url"), kept));
      return timingSafeEqual(made, Buffer.from(key, "base64url"));
    },
  };
};

/** One text has more than one form in Unicode: keyboards differ, the password does not. */
const derive = (password: string, salt: Buffer, { logN, r, p }: PasswordCost): Promise<Buffer> => {
  const N = 2 ** logN;
  const options: ScryptOptions = { N, r, p, maxmem: 256 * N * r };
  return new Promise((resolve, reject) => {
    scrypt(password.normalize("NFKC"), salt, 32, options, (problem, key) => (problem ? reject(problem) : resolve(key)));
  });
};
