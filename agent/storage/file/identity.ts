import { createHash } from "node:crypto";
import { type FileHandle, lstat, open } from "node:fs/promises";
import { hasCode } from "../../disk.ts";
import type { FileIdentity } from "../storage.ts";

const sampleSize = 64 * 1024;

/**
 * SHA-256 over the size and three samples, so that a file is known again without reading it whole. Undefined where no
 * file is.
 */
export const identityOf = (path: string): Promise<FileIdentity | undefined> => identify(path, "r");

/** The same, of a file all of whose bytes are on disk by then. */
export const flushedIdentityOf = (path: string): Promise<FileIdentity | undefined> =>
  // Windows flushes only what is open for writing; elsewhere reading is enough and works on read-only modes too.
  identify(path, process.platform === "win32" ? "r+" : "r", (file) => file.sync());

const identify = async (
  path: string,
  flags: string,
  prepare?: (file: FileHandle) => Promise<void>,
): Promise<FileIdentity | undefined> => {
  const file = await openIfThere(path, flags);
  if (!file) return undefined;
  try {
    await prepare?.(file);
    const { size } = await file.stat();
    const hash = createHash("sha256").update(`${size}:`);
    for (const sample of await samplesOf(file, size)) hash.update(sample);
    return { size, identity: hash.digest("hex") };
  } finally {
    await file.close();
  }
};

/** In a small file the samples overlap: it is read once. */
const samplesOf = async (file: FileHandle, size: number): Promise<Buffer[]> => {
  const middle = Math.max(0, Math.floor(size / 2) - sampleSize / 2);
  const positions = [0, middle, Math.max(0, size - sampleSize)];
  if (size <= positions.length * sampleSize) {
    const all = await readAt(file, 0, size);
    return positions.map((position) => all.subarray(position, position + sampleSize));
  }
  return [
    await readAt(file, 0, sampleSize),
    await readAt(file, middle, sampleSize),
    await readAt(file, size - sampleSize, sampleSize),
  ];
};

const readAt = async (file: FileHandle, position: number, length: number): Promise<Buffer> => {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
};

const openIfThere = async (path: string, flags: string): Promise<FileHandle | undefined> => {
  try {
    return await open(path, flags);
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
