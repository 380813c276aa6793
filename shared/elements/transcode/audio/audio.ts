import type { AudioFacts } from "../../../asset.ts";
import type { Options } from "../../../ffmpeg/args.ts";
import type { Conflict } from "../conflict.ts";
import type { AudioTarget } from "./schema.ts";

export type AudioContext = {
  readonly audio: AudioTarget;
  readonly source: AudioFacts;
  readonly path: string;
  readonly conflict: Conflict;
};

/** Fields that are for some encoders only. */
export const audioFields = [
  ...(["sample_size", "sample_format", "bitrate_mode", "bitrate_kb", "min_bitrate_kb", "max_bitrate_kb"] as const),
  ...(["pcm_wrapping", "convert_aac_headers"] as const),
] as const;
export type AudioField = (typeof audioFields)[number];

/** One audio codec: a file of its own and a line in the list. */
export type AudioCodec = {
  /** As jobs write it; one codec may have several names. */
  readonly names: readonly string[];
  readonly reads: readonly AudioField[];
  readonly maxChannels: number;
  /** Encoder, which for some depends on the fields, and its options. */
  readonly encoder: (context: AudioContext) => string;
  /** As ffprobe names it. */
  readonly probed: (context: AudioContext) => string;
  readonly options: (context: AudioContext) => Options;
};
