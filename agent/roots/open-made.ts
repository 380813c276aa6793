import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { TaskError } from "../../shared/model/failure.ts";
import { hasCode } from "../disk/file-system.ts";
import { locationFrom } from "./checked-file.ts";
import { openFolder } from "./open-folder.ts";

/**
 * Opens what a foreign program left in a folder: a regular file that lies in it, with no other name. A link is not followed,
 * and a pipe or a device is not waited for. Undefined if there is nothing. Throws TaskError `media` for anything else.
 */
export const openMade = async (folder: string, name: string): Promise<FileHandle | undefined> => {
  await using held = await openFolder(folder).catch(unlessMissing);
  if (!held) return undefined;
  const file = await openItself(join(held.path, name), name);
  if (!file) return undefined;
  try {
    const { nlink } = await requireFile(file, name);
    // A program that may link another file of this machine into its folder would have it read for it.
    if (nlink > 1) throw strange(name, "a file with several names");
    if ((await locationFrom(file, join(held.real, name))) !== join(held.real, name))
      throw strange(name, "in another folder");
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
};

const requireFile = async (file: FileHandle, name: string) => {
  const stats = await file.stat();
  if (!stats.isFile()) throw strange(name, "no regular file");
  return stats;
};

const openItself = async (path: string, name: string): Promise<FileHandle | undefined> => {
  try {
    return await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (hasCode(error, "ELOOP")) throw strange(name, "a link");
    if (hasCode(error, "ENXIO")) throw strange(name, "no regular file");
    return unlessMissing(error);
  }
};

const unlessMissing = (error: unknown): undefined => {
  if (!hasCode(error, "ENOENT", "ENOTDIR")) throw error;
};

const strange = (name: string, what: string): TaskError =>
  new TaskError("media", `${name} is ${what}: what a program makes must be a plain file in its own folder`);
