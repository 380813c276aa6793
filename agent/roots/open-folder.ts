import { constants } from "node:fs";
import { type FileHandle, mkdir, open, opendir, realpath, rm, rmdir, stat, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { TaskError } from "../../shared/model/failure.ts";
import { hasCode } from "../disk/file-system.ts";
import { locationFrom, pathOfDescriptor } from "./checked-file.ts";

/** A folder that stays the same while it is used, whatever takes its name. Only Linux has such; elsewhere it is a name. */
export type OpenFolder = {
  readonly real: string;
  /** Leads to the folder while it is open. */
  readonly path: string;
  readonly handle?: Pick<FileHandle, "fd" | "close">;
} & AsyncDisposable;

/** Opens only what is within the roots. */
type Guard = { openFolder(path: string): Promise<OpenFolder | undefined> };

/** Linux: a descriptor that only stands for a place, so that folders need not be readable. */
const O_PATH = 0o10000000;

/** Undefined if it does not exist or is no folder. Its place is not checked. */
export const openFolder = async (path: string): Promise<OpenFolder | undefined> => {
  if (process.platform !== "linux") {
    const real = await realpath(path);
    return (await stat(real)).isDirectory()
      ? { real, path: real, [Symbol.asyncDispose]: async () => undefined }
      : undefined;
  }
  const handle = await open(path, O_PATH | constants.O_DIRECTORY);
  const real = await locationFrom(handle, path);
  return { real, path: pathOfDescriptor(handle, path), handle, [Symbol.asyncDispose]: () => handle.close() };
};

/**
 * Calls `act` with a path that leads to the folder, which is checked, and to no other, and with its real path. Undefined
 * if there is none. Errors name the folder as people know it.
 */
export const inFolder = async <T>(
  roots: Guard,
  asked: string,
  act: (folder: string, real: string) => Promise<T>,
): Promise<T | undefined> => {
  await using folder = await roots.openFolder(asked);
  if (!folder) return undefined;
  try {
    return await act(folder.path, folder.real);
  } catch (error) {
    if (error instanceof Error) error.message = error.message.replaceAll(folder.path, folder.real);
    throw error;
  }
};

/** Creates a folder and its parents, each in one that was checked. */
export const makeFolder = async (roots: Guard, path: string): Promise<void> => {
  const isThere = async () => (await inFolder(roots, path, async () => true)) ?? false;
  if (await isThere()) return;
  const parent = dirname(path);
  if (parent !== path) await makeFolder(roots, parent);
  await inFolder(roots, parent, (folder) => mkdir(join(folder, basename(path))).catch(unlessThere));
  if (!(await isThere())) throw new TaskError("storage", `${path} is not a folder`);
};

const unlessThere = (error: unknown): void => {
  if (!hasCode(error, "EEXIST")) throw error;
};

/** How often a name is tried again that turned from a file into a folder, or the other way round. */
const mostTries = 5;

/** Removes a file or a folder with its contents, and follows no link, also none that is made meanwhile. */
export const removeTree = async (path: string, tries = mostTries): Promise<void> => {
  if (process.platform !== "linux") return rm(path, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 });
  try {
    await removeOnce(path);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return;
    if (tries <= 1 || !hasCode(error, "EISDIR", "EPERM", "ENOTDIR", "ENOTEMPTY")) throw error;
    await removeTree(path, tries - 1);
  }
};

/** Never by a path that leads through a folder which was not opened: it may be a link by then. */
const removeOnce = async (path: string): Promise<void> => {
  await using folder = await openItself(path);
  if (!folder) return unlink(path);
  const inside = pathOfDescriptor(folder, path);
  for await (const { name } of await opendir(inside)) await removeTree(join(inside, name));
  await rmdir(path);
};

/** Undefined if it is no folder, or a link to one. Throws ENOENT if there is nothing. */
const openItself = async (path: string): Promise<FileHandle | undefined> => {
  try {
    return await open(path, O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch (error) {
    if (hasCode(error, "ENOTDIR", "ELOOP")) return undefined;
    throw error;
  }
};
