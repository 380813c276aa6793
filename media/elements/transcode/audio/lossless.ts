import { definitionError } from "../../../../shared/model/failure.ts";
import type { Options } from "../../../ffmpeg/args.ts";
import type { AudioCodec, AudioContext } from "./audio.ts";

/** Lossless compressed sound, of 16 or 24 bits. */
const lossless = (name: string, suffix: string, more: Pick<AudioCodec, "containers" | "layouts">): AudioCodec => ({
  ...more,
  names: [name],
  reads: ["sample_size"],
  maxChannels: 8,
  encoder: () => name,
  probed: () => name,
  options: (context) => depthOptions(context, name, suffix),
});

export const flac = lossless("flac", "", { containers: ["mp4", "dash"] });
export const alac = lossless("alac", "p", {
  containers: ["mov", "mp4"],
  layouts: () => ["mono", "stereo", "3.0", "4.0", "5.0", "5.1", "6.1(back)", "7.1(wide)"],
});

// Samples of 24 bits travel in 32; an option says how many of them count.
const depthOptions = ({ audio, source, path }: AudioContext, name: string, suffix: string): Options => {
  const bits = audio.sample_size ?? ((source.bitsPerSample ?? 24) <= 16 ? 16 : 24);
  if (bits === 16) return { sample_fmt: `s16${suffix}` };
  if (bits === 24) return { sample_fmt: `s32${suffix}`, bits_per_raw_sample: 24 };
  throw definitionError(`${path}.sample_size ${bits}: ${name} has 16 and 24`);
};
