import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { FolderListing } from "../../shared/files/folder-listing.ts";
import { sourceError } from "../../shared/model/failure.ts";
import { lstatIfThere } from "../disk/file-system.ts";
import { inFolder } from "../roots/open-folder.ts";
import type { Roots } from "../roots/roots.ts";

const mostEntries = 2000;

/** The folders that this node lends, or what lies in one of them. Hidden files stay out. */
export const listFolder = async (path: string, tops: readonly string[], roots: Roots): Promise<FolderListing> => {
  if (path === "") {
    const entries = tops.map((folder) => ({ name: folder, path: folder, isFolder: true, size: null }));
    return { path, parent: null, entries, isCut: false };
  }
  const listing = await inFolder(roots, path, async (folder, real) => {
    const found = (await readdir(folder, { withFileTypes: true }))
      .filter((entry) => !entry.name.startsWith(".") && (entry.isDirectory() || entry.isFile()))
      .sort((a, b) => Number(b.isDirectory()) - Number(a.isDirectory()) || a.name.localeCompare(b.name));
    const entries = await Promise.all(
      found.slice(0, mostEntries).map(async (entry) => {
        const size = entry.isFile() ? ((await lstatIfThere(join(folder, entry.name)))?.size ?? null) : null;
        return { name: entry.name, path: join(real, entry.name), isFolder: entry.isDirectory(), size };
      }),
    );
    const isTop = tops.includes(path) || tops.includes(real);
    return { path: real, parent: isTop ? "" : dirname(real), entries, isCut: found.length > mostEntries };
  });
  if (listing) return listing;
  throw sourceError(`no such folder: ${path}`);
};
