import { bitDepthOf } from "../../../formats/pixel-format.ts";
import { nearestFormat } from "./encoding/nearest-format.ts";
import { v210 } from "./v210.ts";
import { allScans, type VideoCodec } from "./video.ts";

/** Formats that are written unchanged: planar ones need a container that names them, such as NUT. */
const planar = [
  ...["yuv410p", "yuv411p", "yuv420p", "yuv422p", "yuv440p", "yuv444p", "yuvj420p", "yuvj422p", "yuvj444p"],
  ...["yuva420p", "yuva422p", "yuva444p", "nv12", "gray", "gray10le", "gray12le", "gray16le", "gbrp"],
  ...["yuv420p", "yuv422p", "yuv444p", "yuva420p", "yuva422p", "yuva444p", "gbrp", "gbrap"].flatMap((name) =>
    ["9le", "10le", "12le", "14le", "16le", "10be", "12be", "16be"].map((depth) => `${name}${depth}`),
  ),
];

const packed = [
  ...["rgb24", "bgr24", "rgba", "bgra", "argb", "abgr", "rgb48le", "rgb48be", "rgba64le", "rgba64be", "uyvy422"],
  ...["yuyv422", "pal8", "monob", "monow", "p010le"],
];

/** The same samples in other orders. */
const orders: Readonly<Record<string, readonly string[]>> = { yuv422p: ["uyvy422", "yuyv422"] };

/** Pictures without any coding, fields and all: what comes out is what was decoded, in a form that the container has. */
export const raw: VideoCodec = {
  name: "raw",
  probed: "rawvideo",
  encoder: "rawvideo",
  containers: ["avi", "mov"],
  isIntra: true,
  reads: [],
  scans: allScans,
  pixelFormats: [...planar, ...packed],
  pixelFormat: ({ source: { pixelFormat = "yuv420p" }, container: { rawFormats } }) =>
    !rawFormats || rawFormats.includes(pixelFormat) ? pixelFormat : (repacked(pixelFormat, rawFormats) ?? pixelFormat),
  packing: (format, { rawFormats = [format] }) =>
    rawFormats.includes(format) ? format : (orders[format]?.find((each) => rawFormats.includes(each)) ?? format),
  // Ten bits in 4:2:2 have a form of their own where their planes have none.
  variant: ({ video: { chroma_format }, source, container: { rawFormats } }) =>
    rawFormats && (chroma_format ?? source.pixelFormat) === "yuv422p10le" ? v210 : undefined,
  options: () => ({}),
};

const isGray = (format: string): boolean => /^(gray|mono)/.test(format);

/** The nearest of these that keeps the colours, and as many bits of each. */
const repacked = (format: string, formats: readonly string[]): string | undefined => {
  const depth = bitDepthOf(format) ?? 8;
  const alike = formats.filter((each) => isGray(each) === isGray(format) && (bitDepthOf(each) ?? 8) >= depth);
  return nearestFormat(format, alike);
};
