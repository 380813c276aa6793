import type { VideoCodec } from "./video.ts";

export const png: VideoCodec = {
  name: "png",
  probed: "png",
  encoder: "png",
  containers: ["avi", "mov"],
  isIntra: true,
  reads: [],
  isStill: true,
  pixelFormats: ["rgb24", "rgb48be", "rgba64be"],
  pixelFormat: () => "rgb24",
  options: () => ({}),
};
