import { isBelow } from "../../shared/credentials.ts";
import type { FolderFile } from "../../shared/watching.ts";
import type { WatchedFileRow } from "../store/rows.ts";

/** A tracked file that is absent for this long is forgotten: if it comes back, it counts as new. */
export const forgottenAfterMs = 90 * 24 * 3_600_000;

/** The number of rows that one check changes; the next check continues. */
const changedAtOnce = 500;

/** The changes of remembered files after a check: when each disappeared, and which are forgotten. */
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
