import { constants } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { getOrInsert } from "../../shared/basics/get-or-insert.ts";
import { TaskError } from "../../shared/model/failure.ts";
import { isFolder } from "../../shared/work/work.ts";
import { lstatIfThere } from "../disk/file-system.ts";
import type { OpenFiles } from "../roots/open-files.ts";
import type { Roots } from "../roots/roots.ts";
import type { ResolvedOutput } from "./resolved-paths.ts";

/**
 * Opens the folder of an output, which must be free there, and keeps it open: the temporary file comes into the folder
 * that was checked. An output of many files gets its folder.
 */
export const createOpenOutput = (roots: Roots, holds: OpenFiles) => {
  const opened = new Map<string, Promise<string>>();

  const keepFolder = async (path: string): Promise<string> => {
    const folder = await roots.openFolder(path);
    if (!folder) throw new TaskError("storage", `The folder ${path} is gone`);
    return (folder.handle && holds.keep(folder.handle, folder.real)) ?? closed(folder, folder.real);
  };
  const folderOf = (path: string): Promise<string> => getOrInsert(opened, path, keepFolder);

  return async (place: ResolvedOutput): Promise<ResolvedOutput> => {
    const { output, madeUri, made: asked } = place;
    // Without an address it lies in the attempt's own folder.
    const made = madeUri === undefined ? asked : join(await folderOf(dirname(asked)), basename(asked));
    if (await lstatIfThere(made)) throw new TaskError("storage", `${made} already exists`);
    if (!isFolder(output)) return { ...place, made };
    await mkdir(made);
    return { ...place, made: madeUri === undefined ? made : await keepOwn(made, holds) };
  };
};

/** A folder that was just created. If something has taken its name since, it is not followed. */
const keepOwn = async (path: string, holds: OpenFiles): Promise<string> => {
  if (process.platform !== "linux") return path;
  const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  return holds.keep(handle, path) ?? closed(handle, path);
};

const closed = async (opened: AsyncDisposable, path: string): Promise<string> => {
  await opened[Symbol.asyncDispose]();
  return path;
};
