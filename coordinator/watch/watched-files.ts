import { isSameState, markOf } from "../../shared/file-state.ts";
import { emptinessMark, type FolderPlace, isEmptied, wasMountedSince } from "../../shared/folder-place.ts";
import { hasFolders } from "../../shared/storage.ts";
import type { FolderFile } from "../../shared/watching.ts";
import type { Watch } from "../../shared/work.ts";
import type { Draft } from "../memory/draft.ts";
import type { Wait } from "../memory/waits.ts";
import type { WatchedFileRow } from "../store/rows.ts";
import type { Farm } from "./farm.ts";
import { goneChanges } from "./gone-files.ts";

/** What a watch remembers of its files. */

/** `owner` is the job that remembers them; null if a key does. */
export type Memory = {
  readonly name: string;
  readonly known: Map<string, WatchedFileRow>;
  readonly owner: number | null;
};

/** What a node saw of a folder. */
export type FolderLook = {
  readonly files: readonly FolderFile[];
  readonly place: FolderPlace | undefined;
  readonly nodeId: number;
};

/** The files that the watch remembers. Jobs with the same key share them. */
export const recallFiles = async (farm: Farm, name: string): Promise<Map<string, WatchedFileRow>> => {
  const known = farm.watches.get(name);
  if (known) return known;
  await farm.settle(); // files taken by an earlier job may not be durable yet
  const rows = await farm.store.watches.all(name);
  const again = farm.watches.get(name);
  const fresh = again ?? new Map(rows.map(({ uri, ...row }) => [uri, row]));
  farm.watches.set(name, fresh);
  return fresh;
};

/** Drops the memory of folders that nobody watches any more. */
export const forgetWatches = ({ watches, waits }: Farm): void => {
  if (watches.size === 0) return;
  const used = new Set([...waits.all()].map(({ name }) => name));
  for (const name of watches.keys()) if (!used.has(name)) watches.delete(name);
};

/** Whether a file was taken, or was there from the beginning, as it is now. */
export const isKnownFile = ({ known }: Pick<Memory, "known">, file: FolderFile, nodeId: number): boolean => {
  const row = known.get(file.uri);
  return row !== undefined && isSameState(row.mark, file, nodeId);
};

/** Records the files that were there at the first check, and which files have left. */
export const noteFiles = (
  farm: Farm,
  draft: Draft,
  { wait, watch, memory }: { readonly wait: Wait; readonly watch: Watch; readonly memory: Memory },
  look: FolderLook,
): void => {
  const set = (uri: string, row: WatchedFileRow | undefined) =>
    draft.setWatchedFile(memory.name, memory.known, uri, row);
  noteFirst(watch, memory, look, (uri, mark) =>
    set(uri, { mark, owner: memory.owner, job_id: null, at: farm.clock.now(), problem: null, gone: null }),
  );
  const { folder, isTracked } = watch;
  const isEmpty = !hasFolders(folder) || (look.files.length === 0 && isEmptied(look, wait.lay));
  const check = { folder, isTracked, isEmptied: isEmpty, now: farm.clock.steady() };
  for (const [uri, after] of goneChanges(memory.known, look.files, check)) set(uri, after);
};

/** The row without an address stands for the folder: it was checked, and what it was on while it was empty. */
const noteFirst = (
  { folder, takesExisting }: Watch,
  { known }: Memory,
  { files, nodeId, place }: FolderLook,
  note: (uri: string, mark: string) => void,
): void => {
  const first = known.get("")?.mark;
  const isFirst = first === undefined || (files.length > 0 && wasMountedSince(first, { folder, nodeId, place }));
  const mark = files.length > 0 ? "" : emptinessMark({ folder, nodeId, place });
  if (first === undefined || (first !== "" && first !== mark)) note("", mark);
  if (isFirst && !takesExisting) for (const file of files) note(file.uri, markOf(file, nodeId));
};
