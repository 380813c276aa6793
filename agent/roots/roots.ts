import { lstat, realpath } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { dataFiles } from "../../shared/files/data-folder.ts";
import type { Mount } from "../../shared/files/mounts.ts";
import { definitionError, sourceError, TaskError } from "../../shared/model/failure.ts";
import { hasCode } from "../disk/file-system.ts";
import { type OpenFolder, openFolder } from "./open-folder.ts";

/**
 * Guards the node's files: a path may be used only if its real path, with all links resolved, is in a root or in a
 * mount's folder. Callers must use the real path that is returned, not the one they asked for.
 */
export type Roots = {
  /** The real path of something that exists. */
  existing(path: string): Promise<string>;
  /** The same, or undefined if it does not exist. A path outside the roots is refused either way. */
  ifThere(path: string): Promise<string | undefined>;
  /** The folder, which stays the one that was checked; undefined if there is none. */
  openFolder(path: string): Promise<OpenFolder | undefined>;
  /** The same for a folder that may not exist yet: its nearest existing ancestor decides. */
  mayCreate(path: string): Promise<void>;
  /** Whether a folder may be deleted with its contents: it neither is a root nor contains one. */
  removable(path: string): Promise<string | undefined>;
};

/**
 * What makes a view of the roots for a list of mounts. `own` are Mediafarm's own folders, with keys and other data:
 * jobs may use nothing in them, even inside a root or mount. They are resolved once for all views.
 */
export const prepareRoots = (folders: readonly string[], own: readonly string[]) => {
  const realOwn = rememberReal(own);
  return (mounts: () => readonly Mount[]): Roots => rootsOf({ folders, mounts, realOwn });
};

type RootsNeeds = {
  readonly folders: readonly string[];
  readonly mounts: () => readonly Mount[];
  readonly realOwn: () => Promise<readonly string[]>;
};

const rootsOf = ({ folders, mounts, realOwn }: RootsNeeds): Roots => {
  const all = () => [...folders, ...mounts().map(({ folder }) => folder)];
  const mayCreate = async (path: string): Promise<void> => {
    const real = await nearestReal(path);
    await refuseOutside({ path, real, folders: all(), own: await realOwn() });
  };
  const ifThere = async (path: string): Promise<string | undefined> => {
    const real = await realPathOf(path);
    // For a missing path the nearest existing folder decides, so nobody can probe which files exist outside the roots.
    if (real === undefined) await mayCreate(path);
    else await refuseOutside({ path, real, folders: all(), own: await realOwn() });
    return real;
  };
  const removable = async (path: string): Promise<string | undefined> => {
    const real = await ifThere(path);
    if (real === undefined) return undefined;
    for (const folder of all()) {
      if (isInside((await realPathOf(folder)) ?? folder, real)) {
        throw definitionError(`${path} is a root folder of this node and cannot be deleted`);
      }
    }
    return real;
  };
  const openChecked = async (path: string): Promise<OpenFolder | undefined> => {
    const folder = await unlessUnreadable(path, () => openFolder(path));
    if (!folder) {
      await mayCreate(path);
      return undefined;
    }
    try {
      await refuseOutside({ path, real: folder.real, folders: all(), own: await realOwn() });
      return folder;
    } catch (error) {
      await folder[Symbol.asyncDispose]();
      throw error;
    }
  };
  return {
    mayCreate,
    ifThere,
    openFolder: openChecked,
    removable,
    existing: async (path) => {
      const real = await ifThere(path);
      if (real === undefined) throw sourceError(`no such file: ${path}`);
      return real;
    },
  };
};

const realPathOf = (path: string): Promise<string | undefined> => unlessUnreadable(path, () => realpath(path));

const unlessUnreadable = async <T>(path: string, read: () => Promise<T>): Promise<T | undefined> => {
  try {
    return await read();
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return undefined;
    if (hasCode(error, "EACCES", "EPERM")) throw sourceError(`this node has no permission to read ${path}`);
    if (hasCode(error, "ELOOP")) throw sourceError(`${path} is a symbolic link to itself`);
    throw error;
  }
};

/** Where folders are that stay in their place, each resolved until it is there: its name, and its real path. */
const rememberReal = (folders: readonly string[]) => {
  const known = new Map<string, string>();
  return async (): Promise<readonly string[]> => {
    for (const folder of folders) {
      const real = known.get(folder) ?? (await realPathOf(folder));
      if (real !== undefined) known.set(folder, real);
    }
    return [...folders, ...known.values()];
  };
};

const nearestReal = async (path: string): Promise<string> => {
  const real = await realPathOf(path);
  if (real !== undefined) return real;
  const parent = dirname(path);
  if (parent === path) throw new TaskError("storage", `${path} does not exist on this node`);
  return nearestReal(parent);
};

type Question = {
  readonly path: string;
  readonly real: string;
  readonly folders: readonly string[];
  readonly own: readonly string[];
};

const refuseOutside = async ({ path, real, folders, own }: Question): Promise<void> => {
  if (own.some((folder) => isInside(real, folder)) || (await isInDataFolder(real)))
    throw definitionError(`${path} is in one of Mediafarm's own folders, which jobs may not use`);
  // `real` is already resolved. If it starts with a root's own text, that root needs no resolving.
  if (folders.some((folder) => isInside(real, folder))) return;
  const missing: string[] = [];
  for (const folder of folders) {
    const root = await realPathOf(folder); // resolved every time: a root may be a share that is mounted later
    if (root === undefined) missing.push(folder);
    else if (isInside(real, root) && dirname(root) !== root) return; // nobody lends a whole disk
  }
  const gone = missing.find((folder) => isInside(path, folder));
  if (gone !== undefined) {
    throw new TaskError(
      "storage",
      `${path} is in ${gone}, which jobs may use, but that folder is not available on this node`,
    );
  }
  // The target of a link is not revealed to those who may not access it.
  const leads = path.startsWith(real) ? path : `${path} leads to a place that`;
  const list = folders.length === 0 ? "none" : folders.join(", ");
  const message = `${leads} is outside of the folders this node may use (${list}); start the agent with --root`;
  throw definitionError(message);
};

/** Whether a real path is a coordinator's data folder, or lies in one: no root, mount or link lends it. */
const isInDataFolder = async (real: string): Promise<boolean> => {
  const found = await Promise.all(dataFiles.map((name) => lstat(join(real, name)).catch(() => undefined)));
  if (found.every((each) => each?.isFile())) return true;
  const parent = dirname(real);
  return parent !== real && isInDataFolder(parent);
};

const isInside = (path: string, folder: string): boolean => {
  const [inner, outer] = [comparable(path), comparable(folder)];
  return inner === outer || inner.startsWith(outer.endsWith(sep) ? outer : outer + sep);
};

/** Windows ignores the case of names. */
const comparable = (path: string): string => (process.platform === "win32" ? path.toLowerCase() : path);
