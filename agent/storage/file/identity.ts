import { type FileHandle, lstat, open } from "node:fs/promises";
import { hasCode } from "../../disk/file-system.ts";
import { identityFrom } from "../sampled-identity.ts";
import type { FileIdentity } from "../storage.ts";

/**
 * SHA-256 over the size and three samples, so that a file is recognised without reading it whole. Undefined if there is
 * no file.
 */
export const readIdentity = (path: string): Promise<FileIdentity | undefined> => identify(path, "r");

/** The same for a file that is completely flushed to disk by then. */
export const flushAndReadIdentity = (path: string): Promise<FileIdentity | undefined> =>
  // Windows flushes only files open for writing; elsewhere reading is enough and also works with read-only modes.
  identify(path, process.platform === "win32" ? "r+" : "r", (file) => file.sync());

const identify = async (
  path: string,
  flags: string,
  prepare?: (file: FileHandle) => Promise<void>,
): Promise<FileIdentity | undefined> => {
  await using file = await openIfThere(path, flags);
  if (!file) return undefined;
  await prepare?.(file);
  const { size } = await file.stat();
  return await identityFrom(size, (position, length) => readAt(file, position, length));
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

/** Whether two names refer to the same file. */
export const isSameFile = async (one: string, other: string): Promise<boolean> => {
  const [a, b] = await Promise.all([lstat(one, { bigint: true }), lstat(other, { bigint: true })]);
  return a.dev === b.dev && a.ino === b.ino;
};
