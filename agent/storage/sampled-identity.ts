import { createHash } from "node:crypto";
import type { FileIdentity } from "./storage.ts";

const sampleSize = 64 * 1024;

/** Up to this many bytes of a file from an offset; fewer at its end. */
export type ReadSample = (position: number, length: number) => Promise<Uint8Array>;

/** SHA-256 over the size and three samples, so that a file is recognised without reading it whole. */
export const identityFrom = async (size: number, readAt: ReadSample): Promise<FileIdentity> => {
  const hash = createHash("sha256").update(`${size}:`);
  for (const sample of await samplesOf(size, readAt)) hash.update(sample);
  return { size, identity: hash.digest("hex") };
};

/** In a small file the samples overlap, so it is read once. */
const samplesOf = async (size: number, readAt: ReadSample): Promise<Uint8Array[]> => {
  const middle = Math.max(0, Math.floor(size / 2) - sampleSize / 2);
  const positions = [0, middle, Math.max(0, size - sampleSize)];
  if (size <= positions.length * sampleSize) {
    const all = size === 0 ? new Uint8Array() : await readAt(0, size);
    return positions.map((position) => all.subarray(position, position + sampleSize));
  }
  const samples: Uint8Array[] = [];
  for (const position of positions) samples.push(await readAt(position, sampleSize));
  return samples;
};
