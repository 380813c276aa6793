import { readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { FolderListing } from "../../shared/folder-listing.ts";
import type { Roots } from "../roots.ts";

const mostEntries = 2000;

/** The folders that this node lends, or what lies in one of them. Hidden files stay out. */
export const listFolder = async (path: string, tops: readonly string[], roots: Roots): Promise<FolderListing> => {
  if (path === "") {
    const entries = tops.map((folder) => ({ name: folder, path: folder, isFolder: true, size: null }));
    return { path, parent: null, entries, isCut: false };
  }
  const real = await roots.existing(path);
  const found = (await readdir(real, { withFileTypes: true }))
    .filter((entry) => !entry.name.startsWith(".") && (entry.isDirectory() || entry.isFile()))
    .sort((a, b) => Number(b.isDirectory()) - Number(a.isDirectory()) || a.name.localeCompare(b.name));
  const entries = await Promise.all(
    found.slice(0, mostEntries).map(async (entry) => {
      const at = join(real, entry.name);
      const size = entry.isFile() ? ((await stat(at).catch(() => undefined))?.size ?? null) : null;
      return { name: entry.name, path: at, isFolder: entry.isDirectory(), size };
    }),
  );
  const isTop = tops.includes(path) || tops.includes(real);
  return { path: real, parent: isTop ? "" : dirname(real), entries, isCut: found.length > mostEntries };
};
