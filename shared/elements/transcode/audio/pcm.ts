import { TaskError } from "../../../causes.ts";
import { notImplemented } from "../not-yet.ts";
import type { AudioCodec, AudioContext } from "./audio.ts";

const encoders = [
  ...["pcm_s8", "pcm_u8", "pcm_s16le", "pcm_s24le", "pcm_s32le", "pcm_s64le", "pcm_s16be", "pcm_s24be", "pcm_s32be"],
  ...["pcm_s64be", "pcm_f32le", "pcm_f64le", "pcm_f32be", "pcm_f64be"],
];

/** Uncompressed sound; 24 bit where nothing is said. */
export const pcm: AudioCodec = {
  names: ["pcm"],
  reads: ["sample_size", "sample_format", "pcm_wrapping"],
  maxChannels: 16,
  encoder: (context) => formatOf(context),
  probed: (context) => formatOf(context),
  options: () => ({}),
};

const formatOf = ({ audio, path, conflict }: AudioContext): string => {
  const { sample_format, sample_size } = audio;
  if (audio.pcm_wrapping === "aes" || audio.pcm_wrapping === "bwf") {
    notImplemented(`${path}.pcm_wrapping`, audio.pcm_wrapping);
  }
  const size = sample_size ?? 24;
  const format = sample_format ?? (size === 8 ? "pcm_u8" : `pcm_s${size}le`);
  if (!encoders.includes(format)) throw new TaskError("capability", `${path}.sample_format "${format}" has no encoder`);
  if (sample_size !== undefined && !format.includes(String(sample_size))) {
    conflict(`${path} has sample_size ${sample_size} and sample_format ${format}`);
  }
  return format;
};
