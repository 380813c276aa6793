import type { Dirent } from "node:fs";
import { lstat, opendir } from "node:fs/promises";
import { basename, join } from "node:path";
import { type FileRequest, maxFoundPaths } from "../../shared/protocol/node-files.ts";
import type { Roots } from "../roots/roots.ts";

type Find = Extract<FileRequest, { do: "find" }>;

/** A large share is not walked to its end for somebody who waits. */
const mostSeen = 50_000;
const deepest = 10;

/** Files of that name and size below the folders that this node lends, nearest to the top first. */
export const findFiles = async ({ name, size }: Find, tops: readonly string[], roots: Roots): Promise<string[]> => {
  const found = new Set<string>();
  for await (const path of filesBelow(tops, roots)) {
    if (basename(path) !== name || !(await hasSize(path, size))) continue;
    found.add(path);
    if (found.size >= maxFoundPaths) break;
  }
  return [...found];
};

const hasSize = async (path: string, size: number | undefined): Promise<boolean> =>
  size === undefined || (await lstat(path).catch(() => undefined))?.size === size;

/** Files, those nearest to the top first. Hidden folders and links are not entered. */
async function* filesBelow(tops: readonly string[], roots: Roots): AsyncGenerator<string> {
  // Grows while it is walked.
  const folders = tops.map((path) => ({ path, depth: 0 }));
  let left = mostSeen;
  for (const { path, depth } of folders) {
    for await (const entry of entriesOf(path, roots)) {
      left -= 1;
      if (left <= 0) return;
      if (entry.name.startsWith(".")) continue;
      const at = join(path, entry.name);
      if (entry.isFile()) yield at;
      if (entry.isDirectory() && depth < deepest) folders.push({ path: at, depth: depth + 1 });
    }
  }
}

/** None where it is not there, or may not be looked into. */
async function* entriesOf(path: string, roots: Roots): AsyncGenerator<Dirent> {
  await using folder = await roots.openFolder(path).catch(() => undefined);
  if (folder) yield* (await opendir(folder.path).catch(() => undefined)) ?? [];
}
