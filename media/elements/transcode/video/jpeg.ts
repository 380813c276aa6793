import type { VideoCodec } from "./video.ts";

export const jpeg: VideoCodec = {
  name: "jpeg",
  probed: "mjpeg",
  encoder: "mjpeg",
  containers: [],
  isIntra: true,
  reads: ["qscale"],
  isStill: true,
  numbers: { matrix: "bt470bg" },
  pixelFormats: ["yuvj420p", "yuvj422p"],
  pixelFormat: () => "yuvj420p",
  // Without a quality the encoder aims at a bit rate, which makes blocks.
  options: ({ video }) => ({ q: video.qscale ?? 3 }),
};
