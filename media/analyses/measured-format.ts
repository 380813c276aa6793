import type { VideoFacts } from "../../shared/model/asset.ts";
import type { Filter } from "../ffmpeg/filtergraph.ts";
import { bitDepthOf, chromaOf, colorSpaceOf } from "../formats/pixel-format.ts";

/** Formats that every detector of code values reads as they are. */
const plain = /^yuvj?(?:411p|440p|(?:420|422|444)p(?:(?:9|10|12|14|16)le)?)$/;
const depths = [8, 9, 10, 12, 14, 16];

type Measured = { readonly filters: readonly Filter[]; readonly bitDepth: number; readonly isFullRange: boolean };

/**
 * How a picture is converted before its code values are measured. Otherwise ffmpeg would choose, and each build another
 * depth: values of twelve bits would be read as such of eight.
 */
export const measuredFormat = ({ pixelFormat = "yuv420p", colorRange, colorPrimaries }: VideoFacts): Measured => {
  const depth = bitDepthOf(pixelFormat) ?? 8;
  const isFullRange = colorRange === "pc" || /^yuvj/.test(pixelFormat);
  if (plain.test(pixelFormat)) return { filters: [], bitDepth: depth, isFullRange };
  const bitDepth = depths.find((each) => each >= depth) ?? 16;
  const isRgb = colorSpaceOf(pixelFormat) === "RGB";
  const matrix = colorPrimaries === "bt2020" ? "bt2020" : "bt709";
  const isFull = isFullRange && !isRgb; // the luma of RGB is made here, in the range that is usual
  const options = { out_range: isFull ? "pc" : "tv", ...(isRgb && { out_color_matrix: matrix }) };
  const name = `yuv${subsampling(pixelFormat)}p${bitDepth === 8 ? "" : `${bitDepth}le`}`;
  return {
    filters: [
      { name: "scale", options },
      { name: "format", options: { pix_fmts: name } },
    ],
    ...{ bitDepth, isFullRange: isFull },
  };
};

const subsampling = (format: string): string => {
  const chroma = chromaOf(format)?.replace("CS_", "");
  if (chroma === "410") return "420";
  return chroma === "420" || chroma === "422" ? chroma : "444";
};
