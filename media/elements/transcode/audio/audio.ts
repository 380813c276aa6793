import type { AudioFacts } from "../../../../shared/model/asset.ts";
import type { Options } from "../../../ffmpeg/args.ts";
import type { Conflict } from "../conflicts/conflict.ts";
import type { Container, Family } from "../containers/container.ts";
import type { FdkaacRecipe } from "../recipe.ts";
import type { AudioTarget } from "./schema.ts";

/** The fields that choose between the forms of a codec; known before the source is. */
export type AudioWish = {
  readonly audio: AudioTarget;
  readonly container: Pick<Container, "pcm" | "muxer"> | undefined;
};

export type AudioContext = AudioWish & {
  readonly source: AudioFacts;
  readonly path: string;
  readonly conflict: Conflict;
  /** Samples a second of the result, and its channels. */
  readonly rate: number;
  readonly channels: number;
};

/** Fields that only some encoders read. */
export const audioFields = [
  ...(["sample_size", "sample_format", "bitrate_mode", "bitrate_kb", "min_bitrate_kb", "max_bitrate_kb"] as const),
  ...(["pcm_wrapping", "convert_aac_headers", "dialnorm", "vendor_digital", "vendor_digital_plus"] as const),
] as const;
export type AudioField = (typeof audioFields)[number];

/** One audio codec: a file of its own and a line in the list. */
export type AudioCodec = {
  /** The name in jobs; one codec may have several. */
  readonly names: readonly string[];
  /** Families of containers that take it, beside those whose own pattern matches it. */
  readonly containers: readonly Family[];
  readonly reads: readonly AudioField[];
  readonly maxChannels: number;
  /** The numbers of channels that it supports; absent: every number up to the most. */
  readonly channels?: readonly number[];
  /** Layouts that it can name, of a form by ffprobe's name, in files of a muxer; absent: every one. */
  readonly layouts?: (probed: string, muxer: string) => readonly string[] | undefined;
  /** Samples a second that it supports; absent: any number. */
  readonly sampleRates?: readonly number[];
  /** Nothing in it tells which channel is which: only their order counts. */
  readonly isUnnamed?: boolean;
  /** The layout of channels that other fields ask for. */
  readonly layout?: (audio: AudioTarget) => string | undefined;
  /** The encoder, which can depend on the fields, and its options. */
  readonly encoder: (context: AudioContext) => string;
  /** How fdkaac encodes it; ffmpeg then copies the result. Absent: ffmpeg encodes it. */
  readonly program?: (context: AudioContext) => FdkaacRecipe;
  /** As ffprobe names it. */
  readonly probed: (wish: AudioWish) => string;
  /** What is decoded differs from what was encoded: true peaks may be higher, by up to three decibels. */
  readonly isLossy?: true;
  readonly options: (context: AudioContext) => Options;
};

/** The option for bits a second. */
export const bitsOf = (kilobits: number | undefined): number | undefined =>
  kilobits === undefined ? undefined : Math.round(kilobits * 1000);
