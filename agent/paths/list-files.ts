import { maxListedFiles, type Selection } from "../../shared/files/file-selection.ts";
import type { TaggedFile } from "../../shared/files/file-state.ts";
import { joinUri } from "../../shared/files/location.ts";
import { definitionError, TaskError } from "../../shared/model/failure.ts";
import type { FolderFile } from "../../shared/work/folder-watch.ts";
import { isTempName } from "../../shared/work/temp-names.ts";
import { hasCode } from "../disk/file-system.ts";
import { mapInParallel } from "../disk/parallel.ts";
import { UnreadableError } from "../roots/checked-file.ts";
import type { Entry, FileStat } from "../storage/storage.ts";
import { selectNames } from "./name-selection.ts";
import { type FileNeeds, resolveFile } from "./resolve-file.ts";

export type Listing = { readonly folder: string; readonly selection: Selection };

const mostDeep = 50;
/** A walk ends at these, whatever lies below: a hostile server makes up folders for as long as it is asked. */
const mostWalked = { folders: 100_000, names: 2_000_000, "files that are meant": maxListedFiles } as const;
type Walked = keyof typeof mostWalked;

/** Names that are matched and examined in one go. */
const together = 1000;

/**
 * The selected files, folder by folder. A missing folder has none. Mediafarm's own hidden files are skipped, and so are
 * links to files that jobs may not read. A file that this node cannot read lacks its permission.
 */
export async function* listFiles(
  { folder, selection }: Listing,
  needs: FileNeeds,
  signal: AbortSignal,
): AsyncGenerator<FolderFile> {
  const count = createCount(folder);
  const folders: { readonly uri: string; readonly depth: number }[] = [{ uri: folder, depth: 0 }];
  // The list grows while it is walked.
  for (const { uri, depth } of folders) {
    for await (const entries of inParts(needs.storageOf(uri).list(uri))) {
      signal.throwIfAborted();
      count("names", entries.length);
      for await (const file of filesOf(entries, uri, selection, needs)) {
        count("files that are meant", 1);
        yield file;
      }
      if (!selection.isRecursive || depth >= mostDeep) continue;
      const below = foldersOf(entries, uri, depth);
      count("folders", below.length);
      folders.push(...below);
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
): AsyncGenerator<FolderFile> {
  const files = new Map(entries.flatMap((entry) => (entry.isFile ? [[entry.name, entry] as const] : [])));
  const meant = selectNames(
    [...files.keys()].filter((name) => !isTempName(name)),
    selection,
  );
  const found = await mapInParallel(meant, 8, (name) => fileOf(joinUri(folder, name), files.get(name), needs));
  for (const file of found) if (file) yield file;
}

const fileOf = async (uri: string, entry: Entry | undefined, needs: FileNeeds): Promise<FolderFile | undefined> => {
  if (entry?.seen) return taggedFile(uri, entry.seen);
  const file = await seenOf(uri, needs);
  if (file === "unreadable") return unreadable(uri, await needs.storageOf(uri).stat(uri));
  if (!file || file.remote) return file && taggedFile(uri, file.remote ?? file);
  const { id, changed } = file;
  const inode = id !== undefined && changed !== undefined ? { id, changed } : undefined;
  return { ...taggedFile(uri, file), ...(inode && { inode }) };
};

const taggedFile = (uri: string, { size, modified, tag }: Omit<FileStat, "isFile">): TaggedFile => {
  const strong = tag?.replace(/^W\//, ""); // a server may call a tag weak only while its file is new
  return { uri, size, modified: Math.floor(modified), ...(strong !== undefined && { tag: strong.slice(0, 1000) }) };
};

const unreadable = (uri: string, seen: FileStat | undefined): FolderFile | undefined =>
  seen && { ...taggedFile(uri, seen), lacks: "this node has no permission to read it" };

/** A file that disappeared meanwhile is skipped, and so is a link to where jobs may not read. */
const seenOf = async (uri: string, needs: FileNeeds) => {
  try {
    const signal = new AbortController().signal;
    return await resolveFile(uri, { fetches: false, user: "", signal }, needs);
  } catch (error) {
    if (error instanceof UnreadableError) return "unreadable";
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

/** Adds to what was walked so far; throws TaskError `definition` beyond the limits. */
const createCount = (folder: string) => {
  const counts: Record<Walked, number> = { folders: 0, names: 0, "files that are meant": 0 };
  return (what: Walked, more: number): void => {
    counts[what] += more;
    if (counts[what] <= mostWalked[what]) return;
    throw definitionError(`${folder} holds more than ${mostWalked[what].toLocaleString("en")} ${what}`);
  };
};
