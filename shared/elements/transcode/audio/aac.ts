import type { AudioCodec } from "./audio.ts";

/** AAC-LC by ffmpeg's own encoder. Both bit rate modes aim at the average; the encoder has no other constant one. */
export const aac: AudioCodec = {
  names: ["aac", "aac_lc", "mpeg4_aac"],
  reads: ["bitrate_mode", "bitrate_kb", "convert_aac_headers"],
  maxChannels: 8,
  encoder: () => "aac",
  probed: () => "aac",
  options: ({ audio }) => ({ b: audio.bitrate_kb === undefined ? undefined : Math.round(audio.bitrate_kb * 1000) }),
};
