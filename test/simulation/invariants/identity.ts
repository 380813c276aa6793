import { createHash } from "node:crypto";

const sample = 64 * 1024;

/** How the farm recognises a file (`agent/storage/sampled-identity.ts`), told anew: the checks do not believe its code. */
export const identityOf = (bytes: Buffer): string => {
  const middle = Math.max(0, Math.floor(bytes.length / 2) - sample / 2);
  const starts = [0, middle, Math.max(0, bytes.length - sample)];
  const hash = createHash("sha256").update(`${bytes.length}:`);
  for (const start of starts) hash.update(bytes.subarray(start, start + sample));
  return hash.digest("hex");
};
