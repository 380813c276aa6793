import type { Filter } from "./filtergraph.ts";
import { isForeign } from "./scaler-matrix.ts";

/** Colours of which every part is known, in ffmpeg's names. */
type Known = {
  readonly range: string;
  readonly primaries: string;
  readonly transfer: string;
  readonly matrix: string;
};

/** The curve of a camera, and of no other: the exact scaler makes light of it for constant luminance. */
const ofCameras = /^(bt709|smpte170m|bt2020-1[02])$/;

/** Matrices that the exact scaler has and the scaler has not, with the curves and primaries of which its numbers are right. */
const exact: Readonly<Record<string, { readonly transfer?: RegExp; readonly primaries?: RegExp }>> = {
  ...{ ycgco: {}, "chroma-derived-nc": {} },
  ...{ bt2020c: { transfer: ofCameras }, "chroma-derived-c": { transfer: ofCameras } },
  ictcp: { transfer: /^smpte2084$/, primaries: /^bt2020$/ },
};

/** Why numbers of these colours cannot become others, nor others these; undefined if they can. */
export const obstacleOf = ({ matrix, transfer, primaries }: Known): string | undefined => {
  if (!isForeign(matrix)) return undefined;
  const limits = exact[matrix];
  if (!limits) return `converting from or to ${matrix} is not implemented`;
  if (limits.transfer?.test(transfer) === false) return `${matrix} beside color_trc ${transfer} is not implemented`;
  return limits.primaries?.test(primaries) === false
    ? `${matrix} beside color_primaries ${primaries} is not implemented`
    : undefined;
};

/** A matrix or a curve as every build's exact scaler takes it: names of SMPTE 240M differ, its number (ITU-T H.273) does not. */
export const exactName = (name: string): string | number => (name === "smpte240m" ? 7 : name);

/** Whether brightness is made of light, and not of the numbers of red, green and blue. */
export const isOfLight = (matrix: string): boolean => matrix === "bt2020c" || matrix === "chroma-derived-c";

/**
 * Numbers of constant luminance as red, green and blue of full range, and back. The exact scaler takes light for what a
 * screen makes of red, green and blue, and brightness for what a camera makes of light (ITU-R BT.2020, table 4): between
 * the two curves lies what one filter changes here. Without it, brightness is wrong by up to a twentieth.
 */
export const fromLight = ({ range, primaries, transfer, matrix }: Known): Filter[] => [
  {
    name: "zscale",
    options: {
      ...{ rin: range, pin: primaries, tin: transfer, min: matrix },
      ...{ r: "pc", p: primaries, t: transfer, m: "gbr" },
    },
  },
  deep,
  everyColor(camera),
];

export const toLight = ({ range, primaries, transfer, matrix }: Known): Filter[] => [
  deep,
  everyColor(screen),
  {
    name: "zscale",
    options: {
      ...{ rin: "pc", pin: primaries, tin: transfer, min: "gbr" },
      ...{ r: range, p: primaries, t: transfer, m: matrix, dither: "error_diffusion" },
    },
  },
];

const deep: Filter = { name: "format", options: { pix_fmts: "gbrp16le" } };

/** From a screen's curve (ITU-R BT.1886) to a camera's (BT.709 and BT.2020), and back. */
const value = "(val/maxval)";
const light = `pow(${value},2.4)`;
const camera = `if(lt(${light},0.018054),4.5*${light},1.099297*pow(${light},0.45)-0.099297)`;
const screen = `pow(if(lt(${value},0.081243),${value}/4.5,pow((${value}+0.099297)/1.099297,1/0.45)),1/2.4)`;

const everyColor = (curve: string): Filter => {
  const expression = `maxval*${curve}`;
  return { name: "lutrgb", options: { r: expression, g: expression, b: expression } };
};
