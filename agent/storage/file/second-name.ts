import { link, lstat, rename } from "node:fs/promises";
import { hasCode, lstatIfThere } from "../../disk/file-system.ts";

/**
 * Gives the file at `path` a second name. The first name stays until it is replaced, so readers always find a file
 * there. Reuses a name that an interrupted publish gave it. False if another file has the second name.
 */
export const giveSecondName = async (path: string, name: string): Promise<boolean> => {
  const original = await lstat(path);
  const there = await lstatIfThere(name);
  if (there) return there.ino === original.ino && there.dev === original.dev;
  try {
    await link(path, name);
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    if (!lacksHardLinks(error)) throw error;
    await rename(path, name); // no hard links here: for a moment no file has the first name
    return true;
  }
};

/** Error codes of link() on file systems without hard links (exFAT, some shares). */
export const lacksHardLinks = (error: unknown): boolean =>
  hasCode(error, "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EINVAL", "UNKNOWN");
