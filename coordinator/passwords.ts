import { type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { newSalt } from "./secrets.ts";

/** What one hash costs: `2 ** logN` blocks of `r` × 128 bytes in memory, gone through `p` times. */
export type PasswordCost = { readonly logN: number; readonly r: number; readonly p: number };

/** 32 MB, and some tenths of a second on the machines of 2026. */
export const passwordCost: PasswordCost = { logN: 15, r: 8, p: 3 };

export type Passwords = ReturnType<typeof createPasswords>;

/**
 * Slow hashes of what people type, made on the thread pool, one after the other: many that sign in at once cost no more
 * memory than one, and guessing in parallel is no faster. Parameters and salt are kept with each hash.
 */
export const createPasswords = (cost: PasswordCost = passwordCost) => {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(fn: () => Promise<T>): Promise<T> => {
    const mine = last.then(fn, fn);
    last = mine;
    return mine;
  };

  const hash = (password: string): Promise<string> =>
    inTurn(async () => {
      const salt = newSalt();
      const key = await derive(password, salt, cost);
      return ["scrypt", cost.logN, cost.r, cost.p, salt.toString("base64url"), key.toString("base64url")].join("$");
    });

  return {
    hash,
    /** Takes as long for somebody unknown, so that time does not tell who is known. */
    isRight: async (password: string, stored: string | undefined): Promise<boolean> => {
      if (stored === undefined) {
        await hash(password);
        return false;
      }
      const [, logN, r, p, salt = "", key = ""] = stored.split("$");
      const kept = { logN: Number(logN), r: Number(r), p: Number(p) };
      const made = await inTurn(() => derive(password, Buffer.from(salt, "base64url"), kept));
      return timingSafeEqual(made, Buffer.from(key, "base64url"));
    },
  };
};

/** One text has more than one spelling in Unicode: keyboards differ, the password does not. */
const derive = (password: string, salt: Buffer, { logN, r, p }: PasswordCost): Promise<Buffer> => {
  const N = 2 ** logN;
  const options: ScryptOptions = { N, r, p, maxmem: 256 * N * r };
  return new Promise((resolve, reject) => {
    scrypt(password.normalize("NFKC"), salt, 32, options, (problem, key) => (problem ? reject(problem) : resolve(key)));
  });
};
