import { createHash } from "node:crypto";
import { type FileHandle, lstat, open } from "node:fs/promises";
import { hasCode } from "./disk.ts";

export type FileIdentity = { readonly size: number; readonly identity: string };

const sampleSize = 64 * 1024;

/**
 * SHA-256 over the size and three samples, so that a file is known again without reading it whole. Undefined where no
 * file is.
 */
export const identityOf = async (path: string): Promise<FileIdentity | undefined> => {
  const file = await openIfThere(path);
  if (!file) return undefined;
  try {
    const { size } = await file.stat();
    const hash = createHash("sha256").update(`${size}:`);
    for (const position of samplePositions(size)) hash.update(await readAt(file, position));
    return { size, identity: hash.digest("hex") };
  } finally {
    await file.close();
  }
};

const samplePositions = (size: number): number[] => {
  const middle = Math.max(0, Math.floor(size / 2) - sampleSize / 2);
  return [0, middle, Math.max(0, size - sampleSize)];
};

const readAt = async (file: FileHandle, position: number): Promise<Buffer> => {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(sampleSize), 0, sampleSize, position);
  return buffer.subarray(0, bytesRead);
};

const openIfThere = async (path: string): Promise<FileHandle | undefined> => {
  try {
    return await open(path, "r");
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return undefined;
    throw error;
  }
};

/** Whether two names belong to one file. */
export const isSameFile = async (one: string, other: string): Promise<boolean> => {
  const [a, b] = await Promise.all([lstat(one, { bigint: true }), lstat(other, { bigint: true })]);
  return a.dev === b.dev && a.ino === b.ino;
};
