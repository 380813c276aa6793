import { constants, type Stats } from "node:fs";
import { lstat, open, readFile, rename, rm, rmdir, stat, unlink } from "node:fs/promises";
import { dirname } from "node:path";

/** The small print of writing so that a power cut leaves the old or the new state, never half of one. */

/** Writes a whole file: it is there with all its bytes, or as it was before. */
export const writeDurably = async (path: string, text: string, mode = 0o600): Promise<void> => {
  const temp = `${path}.new`;
  const file = await open(temp, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC, mode);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temp, path);
  await syncFolder(dirname(path));
};

/** Makes names in a folder durable. Windows cannot open folders and some network shares refuse: names are theirs then. */
export const syncFolder = async (path: string): Promise<void> => {
  if (process.platform === "win32") return;
  const folder = await open(path, constants.O_RDONLY);
  try {
    await folder.sync();
  } catch (error) {
    if (!hasCode(error, "EINVAL", "ENOTSUP", "EBADF", "EPERM")) throw error;
  } finally {
    await folder.close();
  }
};

export const readTextIfThere = (path: string): Promise<string | undefined> => unlessMissing(readFile(path, "utf8"));

export const statIfThere = (path: string): Promise<Stats | undefined> => unlessMissing(stat(path));

/** Of the name itself: a dangling link is there. */
export const lstatIfThere = (path: string): Promise<Stats | undefined> => unlessMissing(lstat(path));

/** Removes a file or a whole folder; nothing there is fine. A plain file, the usual case, takes one call. */
export const removeIfThere = (path: string): Promise<void> => removeBy(unlink, path);

/** The same for what is a folder, and an empty one as a rule. */
export const removeFolderIfThere = (path: string): Promise<void> => removeBy(rmdir, path);

const removeBy = async (remove: (path: string) => Promise<void>, path: string): Promise<void> => {
  try {
    await remove(path);
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

/** Whether a system call failed with one of these codes. */
export const hasCode = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Error && "code" in error && typeof error.code === "string" && codes.includes(error.code);
