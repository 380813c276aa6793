import { lstat, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isSectionFile, type SectionFile } from "../../shared/files/section-files.ts";
import type { FileRequest, FileResponse } from "../../shared/protocol/node-files.ts";
import { hasCode } from "../disk/file-system.ts";
import type { Roots } from "../roots/roots.ts";

type Sweep = Extract<FileRequest, { do: "sweep" }>;

/** Removes sections of transcodes in folders that this node lends, and says which of them are gone now. */
export const sweep = async ({ files }: Sweep, roots: Roots, pathOf: (uri: string) => string): Promise<FileResponse> => {
  const uris: string[] = [];
  for (const file of files) {
    // A folder that this node does not have is for another one.
    const isGone = await remove(file, roots, pathOf).catch(() => false);
    if (isGone) uris.push(file.uri);
  }
  return { is: "swept", uris };
};

/** A file of another size is not the section, and stays. */
const remove = async ({ uri, size }: SectionFile, roots: Roots, pathOf: (uri: string) => string): Promise<boolean> => {
  const path = pathOf(uri);
  if (!isSectionFile(basename(path))) return false;
  await using folder = await roots.openFolder(dirname(path));
  if (!folder) return false;
  const at = join(folder.path, basename(path));
  try {
    const seen = await lstat(at);
    if (seen.isFile() && seen.size === size) await unlink(at);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
  }
  return true;
};
