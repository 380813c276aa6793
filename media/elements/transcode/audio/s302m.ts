import { definitionError } from "../../../../shared/model/failure.ts";
import type { AudioCodec } from "./audio.ts";

/** Uncompressed sound in pairs of channels, for transport streams between studios. */
export const s302m: AudioCodec = {
  names: ["s302m"],
  containers: ["mpegts", "segmented_ts"],
  reads: ["sample_size"],
  maxChannels: 8,
  channels: [2, 4, 6, 8],
  sampleRates: [48_000],
  isUnnamed: true,
  encoder: () => "s302m",
  probed: () => "s302m",
  options: ({ audio: { sample_size = 24 }, path }) => {
    if (sample_size !== 16 && sample_size !== 24) {
      throw definitionError(`${path}.sample_size ${sample_size}: s302m has 16 and 24`);
    }
    // The encoder is good, but still marked as experimental.
    const depth = sample_size === 16 ? { sample_fmt: "s16" } : { sample_fmt: "s32", bits_per_raw_sample: 24 };
    return { ...depth, strict: "experimental" };
  },
};
