import { isBelow } from "../../shared/credentials/prefix.ts";
import { hasFolders } from "../../shared/files/storage.ts";
import type { FolderFile } from "../../shared/work/folder-watch.ts";
import type { WatchedFileRow } from "../store/rows.ts";

/** A remembered file that is absent for this long is forgotten: if it comes back, it counts as new. */
export const forgottenAfterMs = 90 * 24 * 3_600_000;

/** The number of rows that one check changes; the next check continues. */
const changedAtOnce = 500;

type Check = {
  readonly folder: string;
  readonly isTracked: boolean;
  /** The folder is certainly there, and so are no files in it: its share is mounted. */
  readonly isEmptied: boolean;
  readonly now: number;
};

type Change = readonly [uri: string, after: WatchedFileRow | undefined];

/**
 * The changes of remembered files after a check: when each disappeared, and which are forgotten. Untracked files are
 * forgotten as they leave, but not while their folder may only be out of reach.
 */
export const goneChanges = (
  known: ReadonlyMap<string, WatchedFileRow>,
  files: readonly FolderFile[],
  { folder, isTracked, isEmptied, now }: Check,
): Change[] => {
  const there = new Set(files.map(({ uri }) => uri));
  const filled = new Set([...there].map(folderOf));
  const hasLeft = (uri: string): boolean =>
    !isTracked && (filled.has(folderOf(uri)) || (isEmptied && isDirectlyIn(uri, folder)));
  const changes: Change[] = [];
  for (const [uri, row] of known) {
    if (changes.length >= changedAtOnce) break;
    // Another job with the same key may watch another folder.
    if (uri === "" || !isBelow(uri, folder)) continue;
    const { gone } = row;
    const isForgotten = hasLeft(uri) || (gone !== null && gone <= now - forgottenAfterMs);
    if (there.has(uri)) {
      if (gone !== null) changes.push([uri, { ...row, gone: null }]);
    } else if (isForgotten) changes.push([uri, undefined]);
    else if (gone === null) changes.push([uri, { ...row, gone: now }]);
  }
  return changes;
};

const folderOf = (uri: string): string => uri.slice(0, uri.lastIndexOf("/"));

/** A folder below may be a share of its own. Object storage has no folders. */
const isDirectlyIn = (uri: string, folder: string): boolean =>
  !hasFolders(folder) || folderOf(uri) === folder.replace(/\/+$/, "");
