import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { onTestFinished } from "vitest";

/** What takes time that secrets could be read from: hashes, slow and fast ones, and comparisons. */
const counted = ["scrypt", "hash", "createHash", "createHmac", "timingSafeEqual"] as const;

/** The costs of a slow hash as they were asked for. */
type Costs = { readonly N?: number; readonly r?: number; readonly p?: number };

/**
 * Counts the work of node's crypto until the test ends. Times tell little on a busy machine: what is asked for tells what
 * takes as long.
 */
export const countCrypto = () => {
  let work: string[] = [];
  for (const call of counted) {
    const real = crypto[call] as (...args: unknown[]) => unknown; // each is called with what it was given
    const put = (act: unknown): void => {
      Object.assign(crypto, { [call]: act });
      syncBuiltinESMExports();
    };
    put((...args: unknown[]) => {
      const { N, r, p } = (args.find((each) => typeof each === "object" && each !== null && "N" in each) ??
        {}) as Costs;
      work.push(call === "scrypt" ? `scrypt ${N} ${r} ${p}` : call);
      return real(...args);
    });
    onTestFinished(() => put(real));
  }
  return {
    /** What this asks for, in order. */
    of: async (act: () => Promise<unknown>): Promise<string[]> => {
      work = [];
      await act();
      return work;
    },
  };
};
