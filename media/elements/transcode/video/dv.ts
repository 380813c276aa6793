import { toFraction } from "../../../../shared/basics/rational.ts";
import { definitionError } from "../../../../shared/model/failure.ts";
import type { VideoCodec, VideoContext } from "./video.ts";

/** Rates of the two systems, and the picture size in each. */
const sizes: Readonly<Record<string, { readonly width: number; readonly height: number }>> = {
  "25": { width: 720, height: 576 },
  "30000/1001": { width: 720, height: 480 },
};

const check = ({ rate, size, path }: VideoContext, name: string): void => {
  const fitting = rate && sizes[toFraction(rate)];
  if (fitting && fitting.width === size.width && fitting.height === size.height) return;
  const known = "720x576 at 25 frames a second and 720x480 at 30000/1001";
  const asked = `${size.width}x${size.height} at ${rate ? toFraction(rate) : "a rate that varies"}`;
  throw definitionError(`${path}: ${name} has pictures of ${known}, not ${asked}`);
};

/** Common to both: the lower field always comes first. */
const dv: Omit<VideoCodec, "name" | "pixelFormats" | "options"> = {
  ...{ probed: "dvvideo", encoder: "dvvideo", reads: [], scans: ["progressive", "bff"], isIntra: true },
  containers: ["avi", "mov", "mxf"],
};

/** The tape of cameras, 25 Mbit/s: chroma is thinned out down the picture in PAL, along the lines in NTSC. */
export const dv25: VideoCodec = {
  ...dv,
  name: "dv25",
  pixelFormats: ["yuv420p", "yuv411p"],
  pixelFormat: ({ rate }) => (rate && toFraction(rate) === "25" ? "yuv420p" : "yuv411p"),
  check: (context, pixelFormat) => {
    check(context, "dv25");
    if (pixelFormat === "yuv411p" || context.size.height === 576) return;
    throw definitionError(`${context.path}.chroma_format ${pixelFormat}: dv25 of 480 lines has yuv411p`);
  },
  options: () => ({}),
};

/** Twice the bit rate, with the chroma of studios. */
export const dv50: VideoCodec = {
  ...dv,
  name: "dv50",
  pixelFormats: ["yuv422p"],
  check: (context) => check(context, "dv50"),
  options: () => ({}),
};
