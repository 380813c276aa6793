import type { Options } from "../../../ffmpeg/args.ts";
import type { Target } from "../schema.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A delivery standard: fields of a target, and further options of its encoder. */
export type Standard = {
  readonly container: Fields;
  readonly video: (target: Target) => Fields;
  readonly audio: Fields;
  readonly encoder?: Options;
  /** The codec that the encoder's options are for. */
  readonly codec?: string;
};

/** Groups of half a second, as cameras make them. */
export const halfSecond = ({ video }: Target): number => (/^(25|50)(\/1)?$/.test(video?.frame_rate ?? "") ? 12 : 15);
