import { type AudioCodec, bitsOf } from "./audio.ts";

export const opus: AudioCodec = {
  names: ["opus"],
  containers: ["mp4", "mpegts", "segmented_ts", "dash"],
  reads: ["bitrate_mode", "bitrate_kb"],
  maxChannels: 8,
  isLossy: true,
  // Without 5.0 and 6.1, whose channels the encoder mixes up (ffmpeg 5.1 to 7.0).
  layouts: () => ["mono", "stereo", "3.0", "quad", "5.1", "7.1"],
  sampleRates: [48_000, 24_000, 16_000, 12_000, 8000],
  encoder: () => "libopus",
  probed: () => "opus",
  options: ({ audio: { bitrate_mode, bitrate_kb } }) => ({
    b: bitsOf(bitrate_kb),
    vbr: bitrate_mode && { cbr: "off", vbr: "on" }[bitrate_mode],
  }),
};
