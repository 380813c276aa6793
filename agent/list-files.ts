import { TaskError } from "../shared/causes.ts";
import { type ListedFile, mostListed, type Selection } from "../shared/file-selection.ts";
import { joinUri } from "../shared/location.ts";
import { hasCode } from "./disk.ts";
import { namesMeant } from "./matching.ts";
import { type FileNeeds, resolveFile } from "./resolve-file.ts";
import { someAtOnce } from "./some-at-once.ts";
import type { Entry } from "./storage/storage.ts";
import { isTempName } from "./temp-name.ts";

export type Listing = { readonly folder: string; readonly selection: Selection };

const mostDeep = 50;
/** Names that are matched and examined in one go. */
const together = 1000;

/**
 * The selected files, folder by folder. A missing folder has none. Mediafarm's own hidden files are skipped, and so are
 * links to files that this node may not read.
 */
export async function* listFiles(
  { folder, selection }: Listing,
  needs: FileNeeds,
  signal: AbortSignal,
): AsyncGenerator<ListedFile> {
  let listed = 0;
  const folders: { readonly uri: string; readonly depth: number }[] = [{ uri: folder, depth: 0 }];
  for (let next = folders.shift(); next; next = folders.shift()) {
    const { uri, depth } = next;
    for await (const entries of inParts(needs.storageOf(uri).list(uri))) {
      signal.throwIfAborted();
      for await (const file of filesOf(entries, uri, selection, needs)) {
        listed += 1;
        if (listed > mostListed) throw tooMany(folder);
        yield file;
      }
      if (selection.isRecursive && depth < mostDeep) folders.push(...foldersOf(entries, uri, depth));
    }
  }
}

async function* inParts(entries: AsyncIterable<Entry>): AsyncGenerator<Entry[]> {
  let part: Entry[] = [];
  for await (const entry of entries) {
    part.push(entry);
    if (part.length < together) continue;
    yield part;
    part = [];
  }
  yield part;
}

async function* filesOf(
  entries: readonly Entry[],
  folder: string,
  selection: Selection,
  needs: FileNeeds,
): AsyncGenerator<ListedFile> {
  const files = new Map(entries.flatMap((entry) => (entry.isFile ? [[entry.name, entry] as const] : [])));
  const meant = namesMeant(
    [...files.keys()].filter((name) => !isTempName(name)),
    selection,
  );
  const found = await someAtOnce(meant, 8, (name) => fileOf(joinUri(folder, name), files.get(name), needs));
  for (const file of found) if (file) yield file;
}

const fileOf = async (uri: string, entry: Entry | undefined, needs: FileNeeds): Promise<ListedFile | undefined> => {
  const seen = entry?.seen ?? (await seenOf(uri, needs));
  return seen && { uri, size: seen.size, modified: Math.floor(seen.modified) };
};

/** A file that disappeared meanwhile, or that this node may not read, is skipped. */
const seenOf = async (uri: string, needs: FileNeeds) => {
  try {
    const signal = new AbortController().signal;
    return await resolveFile(uri, { fetches: false, user: "", signal }, needs);
  } catch (error) {
    if (error instanceof TaskError && (error.failure.cause === "source" || error.failure.cause === "definition"))
      return undefined;
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
};

const foldersOf = (entries: readonly Entry[], uri: string, depth: number) =>
  entries
    .filter(({ isFile, name }) => !isFile && !name.startsWith("."))
    .map(({ name }) => ({ uri: joinUri(uri, name), depth: depth + 1 }));

const tooMany = (folder: string): TaskError =>
  new TaskError("definition", `${folder} holds more than ${mostListed.toLocaleString("en")} files that are meant`);
