import type { Attempts } from "../attempts/attempts.ts";
import type { WatchedFileRow } from "../store/rows.ts";

export type Watches = Attempts & {
  /** Files that watched folders took, by the name of the watch and then by address. */
  readonly watchedFiles: Map<string, Map<string, WatchedFileRow>>;
};
