import { realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

/** Whether a path is a folder of this machine, or in it, by its name and by where links lead. */
export const liesIn = (folder: string, dataDir: string): boolean => {
  const inner = realOf(resolve(folder));
  const way = relative(realOf(resolve(dataDir)), inner);
  return way === "" || !(way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way));
};

/** Where a path leads, as far as it exists. */
const realOf = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realOf(parent), basename(path));
  }
};
