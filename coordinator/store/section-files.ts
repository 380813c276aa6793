import type { SectionFile } from "../../shared/files/section-files.ts";

/** Files of sections of deleted jobs that are still to be removed. */
export type SectionFileStore = {
  /** Those that were tried least often, then by address. */
  readonly some: (most: number) => Promise<readonly SectionFile[]>;
  /**
   * Forgets the removed ones, and counts a try of those left. Then forgets, and gives back, all that were tried so often.
   */
  readonly tried: (
    uris: { readonly removed: readonly string[]; readonly left: readonly string[] },
    most: number,
  ) => Promise<readonly string[]>;
};
