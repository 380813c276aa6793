import { capabilityError } from "../../../../shared/model/failure.ts";
import { notImplemented } from "../conflicts/unsupported-fields.ts";
import type { AudioCodec, AudioContext, AudioWish } from "./audio.ts";

/** Everything that ffmpeg writes; it only names the API's 16 and 24 bit floats and 64 bit unsigned integers. */
const encoders = [
  ...["pcm_s8", "pcm_u8", "pcm_alaw", "pcm_mulaw", "pcm_dvd"],
  ...["s16", "s24", "s32", "s64", "u16", "u24", "u32", "f32", "f64"].flatMap((form) => [
    `pcm_${form}le`,
    `pcm_${form}be`,
  ]),
];

/** Uncompressed sound; 24 bit by default. */
export const pcm: AudioCodec = {
  names: ["pcm"],
  containers: [],
  reads: ["sample_size", "sample_format", "pcm_wrapping"],
  maxChannels: 64,
  layouts: (probed) => (probed === "pcm_dvd" ? ["mono", "stereo", "5.1(side)", "7.1"] : undefined),
  encoder: (context) => checked(context, formatOf(context)),
  probed: (wish) => formatOf(wish),
  // The encoder of DVDs has both depths; the others have one each.
  options: (context) =>
    formatOf(context) === "pcm_dvd" && context.audio.sample_size === 16 ? { sample_fmt: "s16" } : {},
};

/** The same, in AIFF's order of bytes. */
export const aiff: AudioCodec = {
  ...pcm,
  names: ["aiff"],
  reads: ["sample_size"],
  encoder: (context) => checked(context, bigEndian(context)),
  probed: (wish) => bigEndian(wish),
};

/** The muxers that wrap sound so; raw is what every other one writes. */
const wrappers: Readonly<Record<string, RegExp | undefined>> = { bwf: /^wav$/, aes: /^mxf/ };

const formatOf = ({ audio: { sample_format, sample_size = 24 }, container }: AudioWish): string =>
  sample_format ?? container?.pcm?.(sample_size) ?? (sample_size === 8 ? "pcm_u8" : `pcm_s${sample_size}le`);

const bigEndian = ({ audio: { sample_size = 24 } }: AudioWish): string =>
  sample_size === 8 ? "pcm_s8" : `pcm_s${sample_size}be`;

const checked = ({ audio, path, conflict, container }: AudioContext, format: string): string => {
  const { sample_format, sample_size, pcm_wrapping: wrapping } = audio;
  const able = wrapping && wrappers[wrapping];
  if (able && !able.test(container?.muxer ?? "")) notImplemented(`${path}.pcm_wrapping`, wrapping);
  if (!encoders.includes(format)) throw capabilityError(`${path}.sample_format "${format}" has no encoder`);
  if (sample_format !== undefined && sample_size !== undefined && !format.includes(String(sample_size))) {
    conflict(`${path} has sample_size ${sample_size} and sample_format ${format}`);
  }
  return format;
};
