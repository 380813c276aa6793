import type { VideoCodec } from "./video.ts";

/** A film of JPEG pictures, of full range like stills. */
export const mjpeg: VideoCodec = {
  name: "mjpeg",
  probed: "mjpeg",
  encoder: "mjpeg",
  containers: ["avi", "mov", "mp4"],
  carrier: "mov",
  isIntra: true,
  reads: ["qscale", "bitrate_kb"],
  numbers: { matrix: "bt470bg" },
  pixelFormats: ["yuvj420p", "yuvj422p"],
  options: ({ video: { bitrate_kb, qscale } }) =>
    bitrate_kb === undefined ? { q: qscale ?? 3 } : { b: Math.round(bitrate_kb * 1000) },
};
