import type { Output, Step } from "../../work.ts";

/** Everything about a package decided: what `compile` turns into work. */
export type PackageRecipe = {
  /** Addresses by the ids that steps use. */
  readonly assets: Readonly<Record<string, string>>;
  /** Media first, then playlists, then what names them all: that is the order in which people see them. */
  readonly outputs: readonly (readonly [id: string, output: Output])[];
  readonly steps: readonly Step[];
  readonly notes: readonly string[];
  readonly requires: readonly string[];
};
