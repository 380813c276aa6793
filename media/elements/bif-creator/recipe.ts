import type { Output } from "../../../shared/work/work.ts";
import type { VirtualSource } from "../../virtual-source/virtual-source.ts";

export type BifRecipe = {
  readonly indexes: readonly {
    readonly output: Output;
    /** The film that stills are taken from. */
    readonly source?: VirtualSource;
    /** Addresses of existing pictures. */
    readonly pictures?: readonly string[];
  }[];
  /** Milliseconds between two pictures. */
  readonly multiplier: number;
};
