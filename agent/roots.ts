import { realpath } from "node:fs/promises";
import { dirname, sep } from "node:path";
import { TaskError } from "../shared/causes.ts";
import type { Mount } from "../shared/protocol.ts";
import { hasCode } from "./disk.ts";

/**
 * The door to the node's files: a path is used only if its real path, all links followed, lies in a root or in a
 * mount's folder. Callers work with the real path that they are given, not with the one they asked for.
 */
export type Roots = {
  /** Of something that must be there. */
  existing(path: string): Promise<string>;
  /** Of something that may not be there: then undefined, but refused all the same where it would lie outside. */
  ifThere(path: string): Promise<string | undefined>;
  /** Of a folder that may still have to be made: its nearest ancestor that is there decides. */
  mayCreate(path: string): Promise<void>;
};

export const createRoots = (folders: readonly string[], mounts: () => readonly Mount[]): Roots => {
  const all = () => [...folders, ...mounts().map(({ folder }) => folder)];
  const mayCreate = async (path: string): Promise<void> => {
    const real = await nearestReal(path);
    await refuseOutside({ path, real, folders: all() });
  };
  const ifThere = async (path: string): Promise<string | undefined> => {
    const real = await realPathOf(path);
    // Where nothing is, the nearest folder decides: nobody learns what does not exist outside of the roots.
    if (real === undefined) await mayCreate(path);
    else await refuseOutside({ path, real, folders: all() });
    return real;
  };
  return {
    mayCreate,
    ifThere,
    existing: async (path) => {
      const real = await ifThere(path);
      if (real === undefined) throw new TaskError("source", `no such file: ${path}`);
      return real;
    },
  };
};

const realPathOf = async (path: string): Promise<string | undefined> => {
  try {
    return await realpath(path);
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return undefined;
    if (hasCode(error, "EACCES", "EPERM")) throw new TaskError("source", `this node has no permission to read ${path}`);
    if (hasCode(error, "ELOOP")) throw new TaskError("source", `${path} is a symbolic link to itself`);
    throw error;
  }
};

const nearestReal = async (path: string): Promise<string> => {
  const real = await realPathOf(path);
  if (real !== undefined) return real;
  const parent = dirname(path);
  if (parent === path) throw new TaskError("storage", `${path} does not exist on this node`);
  return nearestReal(parent);
};

type Question = { readonly path: string; readonly real: string; readonly folders: readonly string[] };

const refuseOutside = async ({ path, real, folders }: Question): Promise<void> => {
  // No part of a real path is a link: a root in whose words it begins is no link either, and need not be followed.
  if (folders.some((folder) => isInside(real, folder))) return;
  const missing: string[] = [];
  for (const folder of folders) {
    const root = await realPathOf(folder); // asked anew each time: a root may be a share that is mounted later
    if (root === undefined) missing.push(folder);
    else if (isInside(real, root)) return;
  }
  const gone = missing.find((folder) => isInside(path, folder));
  if (gone !== undefined) {
    throw new TaskError(
      "storage",
      `${path} is in ${gone}, which jobs may use, but that folder is not available on this node`,
    );
  }
  const leads = path.startsWith(real) ? path : `${path} leads to ${real}, which`;
  const list = folders.length === 0 ? "none" : folders.join(", ");
  const message = `${leads} is outside of the folders this node may use (${list}); start the agent with --root`;
  throw new TaskError("definition", message);
};

const isInside = (path: string, folder: string): boolean => {
  const [inner, outer] = [comparable(path), comparable(folder)];
  return inner === outer || inner.startsWith(outer.endsWith(sep) ? outer : outer + sep);
};

/** Windows takes names in any case. */
const comparable = (path: string): string => (process.platform === "win32" ? path.toLowerCase() : path);
