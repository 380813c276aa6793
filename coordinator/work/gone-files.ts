import { isBelow } from "../../shared/credentials.ts";
import type { FolderFile } from "../../shared/watching.ts";
import type { WatchedFileRow } from "../store/rows.ts";

/** A tracked file that has been away from its folder for so long is forgotten: if it comes back, it is a new file. */
export const forgottenAfterMs = 90 * 24 * 3_600_000;

/** Rows that one look changes; the next look goes on. */
const changedAtOnce = 500;

/** How a look changes what is remembered of tracked files: since when they are gone, and which of them are forgotten. */
export const goneChanges = (
  known: ReadonlyMap<string, WatchedFileRow>,
  files: readonly FolderFile[],
  { folder, now }: { readonly folder: string; readonly now: number },
): (readonly [uri: string, after: WatchedFileRow | undefined])[] => {
  const there = new Set(files.map(({ uri }) => uri));
  const changes: (readonly [string, WatchedFileRow | undefined])[] = [];
  for (const [uri, row] of known) {
    if (changes.length >= changedAtOnce) break;
    // Another job with the same key may watch another folder.
    if (uri === "" || !isBelow(uri, folder)) continue;
    const isThere = there.has(uri);
    if (isThere && row.gone !== null) changes.push([uri, { ...row, gone: null }]);
    if (!isThere && row.gone === null) changes.push([uri, { ...row, gone: now }]);
    if (!isThere && row.gone !== null && row.gone <= now - forgottenAfterMs) changes.push([uri, undefined]);
  }
  return changes;
};
