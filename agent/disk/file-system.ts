import { constants, type Stats } from "node:fs";
import { lstat, open, readFile, rm, stat, unlink } from "node:fs/promises";
import { TaskError } from "../../shared/model/failure.ts";

/** File operations for any storage, including shares that answer late or never. */

/** Makes names in a folder durable. Does nothing on Windows and on network shares that cannot flush a folder. */
export const syncFolder = async (path: string): Promise<void> => {
  if (process.platform === "win32") return;
  await using folder = await open(path, constants.O_RDONLY);
  try {
    await folder.sync();
  } catch (error) {
    if (!isFlushRefused(error)) throw error;
  }
};

export const isFlushRefused = (error: unknown): boolean => hasCode(error, "EINVAL", "ENOTSUP", "EBADF", "EPERM");

export const readTextIfThere = (path: string): Promise<string | undefined> => unlessMissing(readFile(path, "utf8"));

export const statIfThere = (path: string): Promise<Stats | undefined> => unlessMissing(stat(path));

/** About the name itself: a dangling link exists. */
export const lstatIfThere = (path: string): Promise<Stats | undefined> => unlessMissing(lstat(path));

/** Removes a file or a whole folder if it exists. A plain file, the usual case, takes one call. */
export const removeIfThere = async (path: string): Promise<void> => {
  try {
    await unlink(path);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return;
    await rm(path, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 });
  }
};

const unlessMissing = async <T>(wanted: Promise<T>): Promise<T | undefined> => {
  try {
    return await wanted;
  } catch (error) {
    // ESRCH: a file of /proc whose process ended while it was read.
    if (hasCode(error, "ENOENT", "ENOTDIR", "ESRCH")) return undefined;
    throw error;
  }
};

/** A full disk in words; other errors stay as they are. */
export const describeFullDisk = (error: unknown, path: string): unknown =>
  hasCode(error, "ENOSPC", "EDQUOT")
    ? new TaskError("resources", `${path}: the disk has no space left; make room there, or choose another target`)
    : error;

/** Whether a system call failed with one of these codes. */
export const hasCode = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Error && "code" in error && typeof error.code === "string" && codes.includes(error.code);
