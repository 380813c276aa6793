import { readdir, realpath, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { AppError } from "../../shared/basics/errors.ts";
import type { FolderListing } from "../../shared/files/folder-listing.ts";
import type { Files } from "./files.ts";
import { foldersHere, isInside } from "./media-files.ts";

type Parts = Pick<Files, "store" | "registry" | "nodeRequests">;

const mostEntries = 2000;

/** The folders that may be browsed, or the contents of one. Hidden files are omitted. */
export const listFolder = async (farm: Parts, path: string): Promise<FolderListing> => {
  const tops = await topsOf(farm);
  if (path === "") {
    const entries = tops.map((folder) => ({ name: folder, path: folder, isFolder: true, size: null }));
    return { path, parent: null, entries, isCut: false };
  }
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined || !(tops.includes(real) || (await isInside(farm, real))))
    throw new AppError("NOT_FOUND", `${path} is not a folder that this farm may read here`);
  const found = await readdir(real, { withFileTypes: true }).catch(() => {
    throw new AppError("NOT_FOUND", `${path} cannot be listed`);
  });
  const shown = found.filter((entry) => !entry.name.startsWith(".") && (entry.isDirectory() || entry.isFile()));
  const sorted = shown.sort(
    (a, b) => Number(b.isDirectory()) - Number(a.isDirectory()) || a.name.localeCompare(b.name),
  );
  const entries = await Promise.all(
    sorted.slice(0, mostEntries).map(async (entry) => {
      const at = join(real, entry.name);
      const size = entry.isFile() ? ((await stat(at).catch(() => undefined))?.size ?? null) : null;
      return { name: entry.name, path: at, isFolder: entry.isDirectory(), size };
    }),
  );
  return { path: real, parent: tops.includes(real) ? "" : dirname(real), entries, isCut: sorted.length > mostEntries };
};

const topsOf = async (farm: Parts): Promise<string[]> => {
  const real = await Promise.all((await foldersHere(farm)).map((folder) => realpath(folder).catch(() => undefined)));
  return [...new Set(real.filter((folder) => folder !== undefined))].sort();
};
