import { sourceError } from "../../shared/model/failure.ts";
import type { Cache } from "../cache/index.ts";
import { fileIdFrom, isUnchanged, openChecked } from "../roots/checked-file.ts";
import type { OpenFiles } from "../roots/open-files.ts";
import type { Roots } from "../roots/roots.ts";
import type { StorageOf } from "../storage/index.ts";
import { failureAt } from "../storage/storage-error.ts";
import type { ResolvedFile } from "./resolved-paths.ts";

export type FileNeeds = {
  readonly locate: (uri: string) => string;
  readonly roots: Roots;
  readonly storageOf: StorageOf;
  readonly cache: Cache;
  /** Keeps the files open that programs read. */
  readonly holds: OpenFiles;
  /** Identifies the credentials of an address. */
  readonly keyringOf: (uri: string) => string;
};

/** The attempt for which files are opened, and where transfers are reported. */
export type Reader = {
  /** Programs read them: remote ones are fetched. Otherwise they are only probed. */
  readonly fetches: boolean;
  /** Local ones are kept open; default: what programs read. */
  readonly holds?: boolean;
  readonly user: string;
  readonly keepSec?: number | undefined;
  readonly signal: AbortSignal;
  readonly onBytes?: (fetched: number, of: number) => void;
  readonly onBreak?: (words: string) => void;
};

/** An existing plain file: its checked path, or the path of a copy on this node. */
export const resolveFile = async (uri: string, reader: Reader, needs: FileNeeds): Promise<ResolvedFile> => {
  const storage = needs.storageOf(uri);
  if (storage.pathOf) return { uri, ...(await resolveLocal(needs.locate(uri), reader, needs)) };
  if (reader.fetches) {
    const { copy, stat } = await needs.cache.fetch({ uri, storage, keyring: needs.keyringOf(uri), ...reader });
    return { uri, path: copy.path, size: stat.size, modified: stat.modified, remote: stat, copy };
  }
  const found = await storage.stat(uri);
  if (!found) throw failureAt(uri, "missing");
  if (!found.isFile) throw sourceError(`${uri} is a folder, not a file`);
  // The job's look at a source has fetched it: whoever needs its bytes next need not fetch them again.
  const isForAttempt = reader.user !== "";
  const copy = isForAttempt
    ? await needs.cache.known({ uri, user: reader.user, keyring: needs.keyringOf(uri) }, found)
    : undefined;
  return { uri, path: uri, size: found.size, modified: found.modified, remote: found, ...(copy && { copy }) };
};

type Local = Pick<FileNeeds, "roots" | "holds">;

const resolveLocal = async (
  asked: string,
  { fetches, holds: isKept = fetches }: Reader,
  { roots, holds }: Local,
): Promise<Omit<ResolvedFile, "uri">> => {
  const name = await roots.existing(asked);
  const file = await openChecked(name);
  let held: string | undefined;
  try {
    const stats = await file.stat();
    if (!stats.isFile())
      throw sourceError(`${asked} is ${stats.isDirectory() ? "a folder, not a file" : "no plain file"}`);
    held = isKept ? holds.keep(file, name) : undefined;
    const way = held === undefined ? { path: name, isByName: fetches } : { path: held, name, isOpened: true };
    return {
      ...way,
      size: stats.size,
      modified: Math.floor(stats.mtimeMs),
      id: fileIdFrom(stats),
      changed: stats.ctimeMs,
    };
  } finally {
    if (held === undefined) await file.close();
  }
};

/** Throws TaskError `source` if one that was sent from where it lies was written to meanwhile. */
export const refuseWrittenTo = async (files: Iterable<ResolvedFile>): Promise<void> => {
  for (const file of files) {
    if (await isUnchanged(file)) continue;
    const { path, name = path } = file;
    throw sourceError(`${name} changed while it was being copied`);
  }
};

/**
 * Throws TaskError `source` where another file has the name of one that programs opened by its name, or where somebody
 * wrote to the copy of a remote one, which may have been published too.
 */
export const refuseExchanged = async (files: Iterable<ResolvedFile>): Promise<void> => {
  for (const { uri, path, id, isByName, copy } of files) {
    if (isByName) await (await openChecked(path, id)).close();
    if (copy && !(await isUnchanged(copy)))
      throw sourceError(`This node's copy of ${uri} was written to while it was read; retry the task`);
  }
};

/** Whether the name is taken. Refuses local names outside the roots in any case. */
export const isThere = async (uri: string, { storageOf, locate, roots }: FileNeeds): Promise<boolean> => {
  const storage = storageOf(uri);
  if (storage.pathOf) return (await roots.ifThere(locate(uri))) !== undefined;
  return (await storage.stat(uri)) !== undefined;
};
