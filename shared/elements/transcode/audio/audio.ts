import type { AudioFacts } from "../../../asset.ts";
import type { Options } from "../../../ffmpeg/args.ts";
import type { Conflict } from "../conflict.ts";
import type { Container } from "../containers/container.ts";
import type { FdkaacRecipe } from "../recipe.ts";
import type { AudioTarget } from "./schema.ts";

/** What tells which form of a codec is made, before there is a source. */
export type AudioWish = {
  readonly audio: AudioTarget;
  readonly container: Pick<Container, "pcm" | "muxer"> | undefined;
};

export type AudioContext = AudioWish & {
  readonly source: AudioFacts;
  readonly path: string;
  readonly conflict: Conflict;
  /** Samples a second that come out. */
  readonly rate: number;
};

/** Fields that are for some encoders only. */
export const audioFields = [
  ...(["sample_size", "sample_format", "bitrate_mode", "bitrate_kb", "min_bitrate_kb", "max_bitrate_kb"] as const),
  ...(["pcm_wrapping", "convert_aac_headers", "dialnorm", "vendor_digital", "vendor_digital_plus"] as const),
] as const;
export type AudioField = (typeof audioFields)[number];

/** One audio codec: a file of its own and a line in the list. */
export type AudioCodec = {
  /** As jobs write it; one codec may have several names. */
  readonly names: readonly string[];
  readonly reads: readonly AudioField[];
  readonly maxChannels: number;
  /** Numbers of channels that it has where not every one up to the most is among them. */
  readonly channels?: readonly number[];
  /** Samples a second that it has; absent: any number. */
  readonly sampleRates?: readonly number[];
  /** The layout of channels that other fields ask for. */
  readonly layout?: (audio: AudioTarget) => string | undefined;
  /** Encoder, which for some depends on the fields, and its options. */
  readonly encoder: (context: AudioContext) => string;
  /** How fdkaac encodes it, where ffmpeg cannot and copies what that program made. */
  readonly program?: (context: AudioContext) => FdkaacRecipe;
  /** As ffprobe names it. */
  readonly probed: (wish: AudioWish) => string;
  readonly options: (context: AudioContext) => Options;
};

/** Bits a second as encoders take them. */
export const bitsOf = (kilobits: number | undefined): number | undefined =>
  kilobits === undefined ? undefined : Math.round(kilobits * 1000);
