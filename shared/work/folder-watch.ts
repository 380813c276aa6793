import type { Selection } from "../files/file-selection.ts";
import type { TaggedFile } from "../files/file-state.ts";
import { judgeSighting, settledMs, type Watched } from "./polling.ts";

/** What is seen of a file in a watched folder. */
export type FolderFile = TaggedFile & { readonly lacks?: string | undefined };

/** So many new files are watched at a time until they stop growing; the others have their turn afterwards. */
export const mostPending = 2000;

/** Names under which programs write what they rename once it is complete. */
const unfinished = /(?:\.(?:part|partial|filepart|crdownload|tmp)|~)$/i;

/** Whether a file's name says that it is not complete, and the pattern does not ask for such names. */
export const isUnfinished = (uri: string, { pattern }: Selection): boolean =>
  "wildcard" in pattern && unfinished.test(uri) && !unfinished.test(pattern.wildcard);

/** A file that has stood still for this long without being complete lets others go first. */
const stuckMs = 60_000;

export type FolderView = {
  readonly files: readonly FolderFile[];
  /** Whether a file was taken in this state, or was there like this from the beginning. */
  readonly isKnown: (file: FolderFile) => boolean;
  /** What the last look saw of new files. */
  readonly pending: ReadonlyMap<string, Watched>;
  readonly now: number;
};

export type FolderDecision = {
  /** Complete files that nobody took yet. */
  readonly take: readonly FolderFile[];
  /** New files that may still grow. */
  readonly pending: ReadonlyMap<string, Watched>;
};

/** Which files of a watched folder are taken now: those that were new at an earlier look and did not change since. */
export const readFolder = ({ files, isKnown, pending, now }: FolderView): FolderDecision => {
  const take: FolderFile[] = [];
  const next = new Map<string, Watched>();
  const fresh = files.filter((file) => !isKnown(file));
  for (const file of inTurn(fresh, pending, now)) {
    const { uri, size, modified, lacks, tag, inode } = file;
    const before = pending.get(uri);
    const state = tag ?? (inode && `${inode.id} ${inode.changed}`);
    if (next.size + take.length >= mostPending) continue;
    // The age that a file claims says nothing here: its writer may only have paused.
    const { watched, why } = judgeSighting(
      before,
      { size, modified, isOld: false, ...(lacks && { lacks }), ...(state !== undefined && { state }) },
      now,
      false,
    );
    if (why === undefined) take.push(file);
    else next.set(uri, watched);
  }
  return { take, pending: next };
};

/** Those that may soon be complete, then the newest of those not watched yet, then those that stand still. */
const inTurn = (files: readonly FolderFile[], pending: FolderView["pending"], now: number): FolderFile[] => {
  const turnOf = ({ uri, size }: FolderFile): number => {
    const since = pending.get(uri)?.since;
    if (size === 0 || now - (since ?? now) >= stuckMs) return 2;
    return since === undefined ? 1 : 0;
  };
  const turns = Map.groupBy(files, turnOf);
  const newest = (turns.get(1) ?? []).sort((a, b) => b.modified - a.modified);
  return [...(turns.get(0) ?? []), ...newest, ...(turns.get(2) ?? [])];
};

const growingMs = 15_000;

/** When to look at the folder again: at its interval, and sooner while new files may soon be complete. */
export const nextFolderPollMs = (intervalSec: number, pending: ReadonlyMap<string, Watched>, now: number): number => {
  const intervalMs = intervalSec * 1000;
  if (pending.size === 0) return intervalMs;
  const isSoon = [...pending.values()].some(({ since }) => now - since < settledMs);
  return Math.min(intervalMs, isSoon ? settledMs : growingMs);
};
