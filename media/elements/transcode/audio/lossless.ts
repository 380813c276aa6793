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

/** In files of its own and in Matroska a comment names the channels by WAVE's mask (RFC 9639, 8.6.2). */
export const flacHasMask = (muxer: string): boolean => /^(flac|matroska)$/.test(muxer);

/** Without a mask, readers take the one layout that RFC 9639 (9.1.3) has for a number of channels. */
const withoutMask = ["mono", "stereo", "3.0", "quad", "5.0", "5.1", "6.1", "7.1"];

export const flac = lossless("flac", "", {
  containers: ["mp4", "dash"],
  layouts: (_, muxer) => (flacHasMask(muxer) ? undefined : withoutMask),
});
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
