import { type AudioCodec, bitsOf } from "./audio.ts";

const mpegRates = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000];

/** AAC-LC by ffmpeg's own encoder. Both bit rate modes aim at the average; the encoder has no other constant one. */
export const aac: AudioCodec = {
  names: ["aac", "aac_lc", "mpeg4_aac"],
  containers: ["mov", "mp4", "mpegts", "segmented_ts", "hls", "dash"],
  reads: ["bitrate_mode", "bitrate_kb", "convert_aac_headers"],
  maxChannels: 8,
  // Those that a header has a number for: browsers refuse the others.
  layouts: () => ["mono", "stereo", "3.0", "4.0", "5.0", "5.1", "7.1"],
  sampleRates: mpegRates,
  isLossy: true,
  encoder: () => "aac",
  probed: () => "aac",
  options: ({ audio }) => ({ b: bitsOf(audio.bitrate_kb) }),
};

/** The same sound with the headers of MPEG-2, for transport streams and files of frames. */
export const mpeg2Aac: AudioCodec = {
  ...aac,
  names: ["mpeg2_aac"],
  options: (context) => ({ ...aac.options(context), profile: "mpeg2_aac_low" }),
};
