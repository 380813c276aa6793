import { allScans, type VideoCodec } from "./video.ts";

/** Uncoded pictures of ten bits in 4:2:2, three points in each 32 bits: the form that QuickTime and AVI have for them. */
export const v210: VideoCodec = {
  name: "v210",
  probed: "v210",
  encoder: "v210",
  containers: ["avi", "mov"],
  isIntra: true,
  reads: [],
  scans: allScans,
  pixelFormats: ["yuv422p10le"],
  options: () => ({}),
};
