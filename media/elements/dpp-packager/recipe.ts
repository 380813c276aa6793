import type { Output } from "../../../shared/work/work.ts";
import type { Shim } from "./shims.ts";
import type { Sidecar } from "./sidecar.ts";

/** A delivery decided. Streams are named by their index in the file that came in. */
export type DppRecipe = {
  readonly uri: string;
  readonly shim: Pick<Shim, "muxer" | "tracks">;
  readonly picture: number;
  readonly sounds: readonly { readonly stream: number; readonly channels: number }[];
  readonly timecode: string;
  readonly seconds: number;
  readonly output: Output;
  readonly sidecar?: Sidecar & { readonly output: Output };
  readonly notes: readonly string[];
};
