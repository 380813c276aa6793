import { link, lstat, rename } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { TaskError } from "../shared/causes.ts";
import { hasCode, lstatIfThere } from "./disk.ts";

const most = 10_000;

/** `name_1.ext`, `name_2.ext`, … of `name.ext`, with `infix` before the number. */
const numbered = (path: string, number: number, infix = ""): string => {
  const extension = extname(path);
  return join(dirname(path), `${basename(path, extension)}_${infix}${number}${extension}`);
};

/** The path itself if nothing has that name, else its first numbered form that is free. */
export const firstFree = async (path: string, isTaken = isThere): Promise<string> => {
  if (!(await isTaken(path))) return path;
  for (let number = 1; number <= most; number++) {
    const candidate = numbered(path, number);
    if (!(await isTaken(candidate))) return candidate;
  }
  throw new TaskError("storage", `${path} and ${most} numbered names beside it exist already`);
};

const isThere = async (path: string): Promise<boolean> => (await lstatIfThere(path)) !== undefined;

/**
 * Gives what is at `path` a second name, `name_org_N.ext`: the first name stays until it is replaced, so readers always
 * find a file there. A name that an interrupted publish gave it already is used again.
 */
export const keepOriginal = async (path: string): Promise<void> => {
  const original = await lstat(path);
  for (let number = 1; number <= most; number++) {
    const candidate = numbered(path, number, "org_");
    const there = await lstatIfThere(candidate);
    if (there && there.ino === original.ino && there.dev === original.dev) return;
    if (!there && (await giveName(path, candidate))) return;
  }
  throw new TaskError("storage", `${path} cannot be renamed: ${most} names like ${numbered(path, 1, "org_")} exist`);
};

/** False where somebody else took the name meanwhile. */
const giveName = async (path: string, name: string): Promise<boolean> => {
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

/** What file systems without hard links (exFAT, some shares) answer to link(). */
export const lacksHardLinks = (error: unknown): boolean =>
  hasCode(error, "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EINVAL", "UNKNOWN");
