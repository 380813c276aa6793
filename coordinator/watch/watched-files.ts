import { isSameState, markOf } from "../../shared/files/file-state.ts";
import { emptinessMark, type FolderIdentity, isEmptied, wasMountedSince } from "../../shared/files/folder-identity.ts";
import { hasFolders } from "../../shared/files/storage.ts";
import type { FolderFile } from "../../shared/work/folder-watch.ts";
import type { Watch } from "../../shared/work/work.ts";
import type { Ground } from "../ground.ts";
import type { Transaction } from "../kernel/transaction.ts";
import type { Poll } from "../schedule/polls.ts";
import type { WatchedFileRow } from "../store/rows.ts";
import { goneChanges } from "./gone-files.ts";
import type { Watches } from "./watches.ts";

/** What a watch remembers of its files. */

/** `owner` is the job that remembers them; null if a key does. */
export type WatchMemory = {
  readonly name: string;
  readonly known: Map<string, WatchedFileRow>;
  readonly owner: number | null;
};

/** What a node saw of a folder. */
export type FolderLook = {
  readonly files: readonly FolderFile[];
  readonly place: FolderIdentity | undefined;
  readonly nodeId: number;
};

/** The files that the watch remembers. Jobs with the same key share them. */
export const recallFiles = async (
  farm: Pick<Watches, "store" | "change" | "watchedFiles">,
  name: string,
): Promise<Map<string, WatchedFileRow>> => {
  const known = farm.watchedFiles.get(name);
  if (known) return known;
  await farm.change([], () => undefined); // until files taken by an earlier job are durable
  const rows = await farm.store.watches.all(name);
  const again = farm.watchedFiles.get(name);
  const fresh = again ?? new Map(rows.map(({ uri, ...row }) => [uri, row]));
  farm.watchedFiles.set(name, fresh);
  return fresh;
};

/** Drops the memory of folders that nobody watches any more. */
export const dropUnusedWatches = ({ watchedFiles, polls }: Pick<Watches, "polls" | "watchedFiles">): void => {
  if (watchedFiles.size === 0) return;
  const used = new Set([...polls.all()].map(({ name }) => name));
  for (const name of watchedFiles.keys()) if (!used.has(name)) watchedFiles.delete(name);
};

/** Whether a file was taken, or was there from the beginning, as it is now. */
export const isKnownFile = ({ known }: Pick<WatchMemory, "known">, file: FolderFile, nodeId: number): boolean => {
  const row = known.get(file.uri);
  return row !== undefined && isSameState(row.mark, file, nodeId);
};

/** Records the files that were there at the first check, and which files have left. */
export const noteFiles = (
  farm: Pick<Ground, "clock">,
  draft: Transaction,
  { wait, watch, memory }: { readonly wait: Poll; readonly watch: Watch; readonly memory: WatchMemory },
  look: FolderLook,
): void => {
  const set = (uri: string, row: WatchedFileRow | undefined) =>
    draft.setWatchedFile(memory.name, memory.known, uri, row);
  noteFirst(watch, memory, look, (uri, mark) =>
    set(uri, { mark, owner: memory.owner, job_id: null, at: farm.clock.now(), problem: null, gone: null }),
  );
  const { folder, isTracked } = watch;
  const isEmpty = !hasFolders(folder) || (look.files.length === 0 && isEmptied(look, wait.seenOn));
  const check = { folder, isTracked, isEmptied: isEmpty, now: farm.clock.steady() };
  for (const [uri, after] of goneChanges(memory.known, look.files, check)) set(uri, after);
};

/** The row without an address stands for the folder: it was checked, and what it was on while it was empty. */
const noteFirst = (
  { folder, takesExisting }: Watch,
  { known }: WatchMemory,
  { files, nodeId, place }: FolderLook,
  note: (uri: string, mark: string) => void,
): void => {
  const first = known.get("")?.mark;
  const isFirst = first === undefined || (files.length > 0 && wasMountedSince(first, { folder, nodeId, place }));
  const mark = files.length > 0 ? "" : emptinessMark({ folder, nodeId, place });
  if (first === undefined || (first !== "" && first !== mark)) note("", mark);
  if (isFirst && !takesExisting) for (const file of files) note(file.uri, markOf(file, nodeId));
};
