import type { Output, Step } from "../../../shared/work/work.ts";

/** A package with everything decided: `compile` turns it into steps. */
export type PackageRecipe = {
  /** Addresses by the ids that steps use. */
  readonly assets: Readonly<Record<string, string>>;
  /** Media first, then playlists, then the manifests that name them all: people see them in this order. */
  readonly outputs: readonly (readonly [id: string, output: Output])[];
  readonly steps: readonly Step[];
  readonly notes: readonly string[];
  readonly requires: readonly string[];
};
