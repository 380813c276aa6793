import { type AudioCodec, bitsOf } from "./audio.ts";

export const vorbis: AudioCodec = {
  names: ["vorbis"],
  containers: [],
  reads: ["bitrate_mode", "bitrate_kb", "min_bitrate_kb", "max_bitrate_kb"],
  maxChannels: 8,
  isLossy: true,
  layouts: () => ["mono", "stereo", "3.0", "quad", "5.0", "5.1", "6.1", "7.1"],
  encoder: () => "libvorbis",
  probed: () => "vorbis",
  options: ({ audio: { bitrate_mode, bitrate_kb, min_bitrate_kb, max_bitrate_kb } }) => {
    const isConstant = bitrate_mode === "cbr";
    return {
      b: bitsOf(bitrate_kb),
      minrate: bitsOf(isConstant ? bitrate_kb : min_bitrate_kb),
      maxrate: bitsOf(isConstant ? bitrate_kb : max_bitrate_kb),
    };
  },
};
