import { type AudioCodec, bitsOf } from "./audio.ts";

export const mp3: AudioCodec = {
  names: ["mp3"],
  containers: ["avi", "mov", "mp4", "mpegts", "segmented_ts", "hls", "program_stream"],
  reads: ["bitrate_mode", "bitrate_kb"],
  maxChannels: 2,
  isLossy: true,
  layouts: () => ["mono", "stereo"],
  sampleRates: [48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000],
  encoder: () => "libmp3lame",
  probed: () => "mp3",
  // Variable rate: around the average if the job has one, else a quality that few can tell from the source.
  options: ({ audio: { bitrate_mode, bitrate_kb } }) => ({
    b: bitsOf(bitrate_kb),
    abr: bitrate_mode === "vbr" && bitrate_kb !== undefined ? 1 : undefined,
    q: bitrate_mode === "vbr" && bitrate_kb === undefined ? 2 : undefined,
  }),
};
