import type { VideoFacts } from "../../shared/model/asset.ts";
import { bitDepthOf, hasAlpha } from "../formats/pixel-format.ts";
import { type Colors, conversion, isHighDynamic, obstacleBetween, sourceColors, stated } from "./color.ts";
import type { Filter } from "./filtergraph.ts";
import { isForeign, scalerMatrix } from "./scaler-matrix.ts";

/** The size that a picture is brought to, and how. */
export type Resized = { readonly w: number; readonly h: number; readonly flags: string };

/**
 * Another matrix and range of the same colours, and another size if one is given. The scaler changes the matrix safely only
 * from or to red, green and blue: beside a change of range, newer builds forget it.
 */
export const rescaled = (from: Colors, to: Colors, pixelFormat: string | undefined, size?: Resized): Filter[] => {
  const isDirect = from.matrix === to.matrix || from.matrix === "gbr" || to.matrix === "gbr";
  if (isDirect) return [scaled(from, to, size)];
  const between = { matrix: "gbr", range: "pc" };
  const format = `${hasAlpha(pixelFormat) ? "gbrap" : "gbrp"}${(bitDepthOf(pixelFormat) ?? 8) > 8 ? "16le" : ""}`;
  return [
    scaled(from, between, size),
    { name: "format", options: { pix_fmts: format } },
    scaled(between, to, undefined),
  ];
};

// Rounding is exact, as flat colours show the least error.
const scaled = (from: Colors, to: Colors, size: Resized | undefined): Filter => ({
  name: "scale",
  options: {
    ...size,
    ...{ in_color_matrix: matrixName(from.matrix), in_range: from.range },
    ...{ out_color_matrix: matrixName(to.matrix), out_range: to.range },
    ...(!size && { flags: "bicubic+accurate_rnd+full_chroma_int+full_chroma_inp" }),
  },
});

const matrixName = (matrix: string | undefined): string | undefined =>
  matrix === undefined || matrix === "gbr" ? undefined : scalerMatrix(matrix);

/** Colours of high definition in the numbers that readers of JPEG expect (ITU-T T.871). */
export const jpegColors = { range: "pc", primaries: "bt709", transfer: "bt709", matrix: "bt470bg" };

/** Why a picture is shown in colours that are only the nearest; undefined if they are its own. */
export const whyNearest = (video: VideoFacts, to: Required<Colors>): string | undefined => {
  const from = stated(sourceColors(video), video);
  return isForeign(from.matrix) ? obstacleBetween(from, to) : undefined;
};

/**
 * A small picture for people to look at, in standard colours. `isExact`: the node converts what its scaler cannot. Colours
 * that nothing converts are shown as the nearest that the scaler knows.
 */
export const forViewers = (video: VideoFacts, to: Required<Colors>, size: Resized, isExact = true): Filter[] => {
  const from = stated(sourceColors(video), video);
  const isOdd = isHighDynamic(from.transfer) || isForeign(from.matrix);
  // Small pictures are converted faster.
  if (isExact && isOdd && obstacleBetween(from, to) === undefined)
    return [{ name: "scale", options: size }, ...conversion(from, to, "")];
  return rescaled(from, to, video.pixelFormat, size);
};
