import type { SectionFile } from "../../shared/section-files.ts";

/** Files of sections of deleted jobs that are still to be removed. */
export type SectionFileStore = {
  /** Those that were tried least often. */
  readonly some: (most: number) => Promise<readonly SectionFile[]>;
  readonly forget: (uris: readonly string[]) => Promise<void>;
  /** Counts a try of each, and forgets those that were tried so often; gives those back. */
  readonly tried: (uris: readonly string[], most: number) => Promise<readonly string[]>;
};
