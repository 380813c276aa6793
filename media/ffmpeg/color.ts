import type { VideoFacts } from "../../shared/model/asset.ts";
import { capabilityError } from "../../shared/model/failure.ts";
import { colorSpaceOf } from "../formats/pixel-format.ts";
import { exactName, fromLight, isOfLight, obstacleOf, toLight } from "./exact-matrix.ts";
import type { Filter } from "./filtergraph.ts";
import { hideMatrix, isForeign, scalerMatrix } from "./scaler-matrix.ts";

/** Everything that says which colours the numbers mean, in ffmpeg's names. */
export type Colors = {
  readonly range?: string | undefined;
  readonly primaries?: string | undefined;
  readonly transfer?: string | undefined;
  readonly matrix?: string | undefined;
};

/** The source's colour tags; the names of `yuvj` formats mean full range. */
export const sourceColors = (source: VideoFacts): Colors => ({
  range: source.colorRange ?? (source.pixelFormat?.startsWith("yuvj") ? "pc" : undefined),
  primaries: source.colorPrimaries,
  transfer: source.colorTransfer,
  matrix: source.colorSpace,
});

/** For untagged pictures the colours that their size makes likely. */
export const stated = (from: Colors, { height, pixelFormat }: VideoFacts): Required<Colors> => {
  const isRgb = colorSpaceOf(pixelFormat) === "RGB";
  const likely = { ...usualColors(height), ...besideMatrix[from.matrix ?? ""] };
  return {
    range: from.range ?? (isRgb ? "pc" : "tv"),
    primaries: from.primaries ?? likely.primaries,
    transfer: from.transfer ?? likely.transfer,
    matrix: isRgb ? "gbr" : matrixOf(from.matrix, likely.matrix),
  };
};

/** Brightness and colour differences that are tagged as red, green and blue are tagged wrongly. */
const matrixOf = (matrix: string | undefined, likely: string): string =>
  matrix === undefined || matrix === "gbr" ? likely : matrix;

/** What alone goes with some matrices. */
const besideMatrix: Readonly<Record<string, { readonly primaries: string; readonly transfer: string }>> = {
  bt2020c: { primaries: "bt2020", transfer: "bt2020-10" },
  ictcp: { primaries: "bt2020", transfer: "smpte2084" },
};

/** What the colours of standard and high definition are by default; `stated` tells the same of a source. */
export const usualColors = (height: number): Record<"primaries" | "transfer" | "matrix", string> => {
  const name = height >= 720 ? "bt709" : height === 576 ? "bt470bg" : "smpte170m";
  return { primaries: name, transfer: height >= 720 ? "bt709" : "smpte170m", matrix: name };
};

/** Matrix and range of a picture, in the names of ffmpeg's scaler. */
export const likelyColors = (source: VideoFacts): { readonly matrix: string; readonly range: string | undefined } => {
  const { matrix = "bt709", range } = stated(sourceColors(source), source);
  return { matrix: scalerMatrix(matrix === "gbr" ? "bt709" : matrix), range };
};

/** Whether a transfer gives a high dynamic range: bright parts must be compressed for a standard screen. */
export const isHighDynamic = (transfer: string | undefined): boolean =>
  transfer === "smpte2084" || transfer === "arib-std-b67";

type Light = {
  /** Nits that white of a standard picture has. */
  readonly white?: number | undefined;
  /** Brightness above which tone mapping fades colours; zero: none. */
  readonly desaturation?: number;
};

/** As jobs write a transfer that ffmpeg calls otherwise. */
const jobsName = (transfer: string): string => (transfer === "bt1361e" ? "bt1361 ecg" : transfer);

/**
 * From the fully known colours to the wanted ones; the rest stays. A matrix that the scaler does not know is hidden from what
 * follows: whoever makes a file of it shows it again. Throws TaskError `capability` for colours that nothing converts.
 */
export const conversion = (from: Required<Colors>, to: Colors, path: string, light: Light = {}): Filter[] => {
  const lacking = [from.transfer, to.transfer].find((name) => name !== undefined && withoutCurve.includes(name));
  if (lacking)
    throw capabilityError(`${path}.color_trc: converting from or to ${jobsName(lacking)} is not implemented`);
  const made = changedTo(from, to);
  const isCurved = from.transfer !== made.transfer || from.primaries !== made.primaries;
  // The same numbers in another range: that needs no matrix.
  if (isForeign(made.matrix) && made.matrix === from.matrix && !isCurved)
    return [{ name: "scale", options: { in_range: from.range, out_range: made.range, flags: "accurate_rnd" } }];
  const why = obstacleBetween(from, made);
  if (why !== undefined)
    throw capabilityError(`${path}.color_matrix: ${from.matrix} cannot become ${made.matrix}: ${why}`);
  return [...throughLight(from, made, path, light), ...hideMatrix(made.matrix)];
};

/** Why numbers of some colours cannot become those of others with another matrix, primaries or transfer; undefined if they can. */
export const obstacleBetween = (from: Required<Colors>, to: Required<Colors>): string | undefined => {
  const lacking = [from.transfer, to.transfer].find((name) => withoutCurve.includes(name));
  if (lacking) return `converting from or to color_trc ${jobsName(lacking)} is not implemented`;
  return obstacleOf(from) ?? obstacleOf(to);
};

type Known = Required<Colors>;

/** The colours behind a conversion. */
export const changedTo = (from: Known, { range, primaries, transfer, matrix }: Colors): Known => ({
  ...{ range: range ?? from.range, primaries: primaries ?? from.primaries },
  ...{ transfer: transfer ?? from.transfer, matrix: matrix ?? from.matrix },
});

/** Constant luminance comes from red, green and blue, and becomes these, before anything else. */
const throughLight = (from: Known, to: Known, path: string, light: Light): Filter[] => {
  const own = isOfLight(from.matrix) ? { ...from, range: "pc", matrix: "gbr" } : from;
  const made = isOfLight(to.matrix) ? { ...to, range: "pc", matrix: "gbr" } : to;
  const isSame = (["range", "primaries", "transfer", "matrix"] as const).every((part) => own[part] === made[part]);
  return [
    ...(own === from ? [] : fromLight(from)),
    ...(isSame ? [] : converted(own, made, path, light)),
    ...(made === to ? [] : toLight(to)),
  ];
};

const converted = (from: Known, to: Known, path: string, light: Light): Filter[] => {
  const whole = {
    ...{ rin: from.range, pin: from.primaries, tin: exactName(from.transfer), min: exactName(from.matrix) },
    ...{ r: to.range, p: to.primaries, t: exactName(to.transfer), m: exactName(to.matrix) },
  };
  if (isHighDynamic(from.transfer) && !isHighDynamic(to.transfer)) return toneMapped(from, to, light, path);
  const isCurved = from.transfer !== to.transfer || from.primaries !== to.primaries;
  if (isCurved && [from.transfer, to.transfer].includes(oldCurve)) return withOldCurve(from, to, path);
  return [{ name: "zscale", options: { ...whole, npl: light.white, dither: "error_diffusion" } }];
};

/** The curve of SMPTE 240M: the exact filter stops at it, and another one has it, which knows few others and no RGB. */
const oldCurve = "smpte240m";
const besideOldCurve = {
  transfer: /^(bt709|bt470m|bt470bg|smpte170m|smpte240m|iec61966-2-[14]|bt2020-1[02])$/,
  primaries: /^(bt709|bt470m|bt470bg|smpte170m|smpte240m|smpte43[12]|bt2020|film)$/,
  matrix: /^(gbr|bt709|bt470bg|smpte170m|smpte240m|bt2020nc)$/,
} as const;

const withOldCurve = (from: Known, to: Known, path: string): Filter[] => {
  const fields = { transfer: "color_trc", primaries: "color_primaries", matrix: "color_matrix" } as const;
  for (const [name, known] of Object.entries(besideOldCurve) as [keyof typeof fields, RegExp][]) {
    const foreign = [from[name], to[name]].find((each) => each !== undefined && !known.test(each));
    if (foreign) throw capabilityError(`${path}.${fields[name]}: ${foreign} beside smpte240m is not implemented`);
  }
  const [ispace, space] = [from.matrix, to.matrix].map((matrix) => (matrix === "gbr" ? "bt709" : matrix));
  const [irange, range] = [from.range, to.range].map((each, at) => ([from, to][at]?.matrix === "gbr" ? "tv" : each));
  const inner = { ispace, irange, iprimaries: from.primaries, itrc: from.transfer };
  const asYuv = { min: "gbr", rin: from.range, m: "bt709", r: "tv" };
  return [
    ...(from.matrix === "gbr" ? [{ name: "zscale", options: asYuv }] : []),
    {
      name: "format",
      options: { pix_fmts: "yuv420p|yuv422p|yuv444p|yuv420p10le|yuv422p10le|yuv444p10le|yuv444p12le" },
    },
    {
      name: "colorspace",
      options: { ...inner, space, range, primaries: to.primaries, trc: to.transfer, dither: "fsb" },
    },
    // Newer builds go on with the matrix from before it, and a scaler behind it would bring that back.
    {
      name: "setparams",
      options: { range, color_primaries: to.primaries, color_trc: to.transfer, colorspace: space },
    },
    ...(to.matrix === "gbr"
      ? [{ name: "zscale", options: { min: "bt709", rin: "tv", m: "gbr", r: to.range, dither: "error_diffusion" } }]
      : []),
  ];
};

/** Transfers for which the conversion filter has no curve. */
const withoutCurve = ["bt1361e", "smpte428"];

/** Makes the numbers proportional to light, compresses them, and codes them again. */
const toneMapped = (from: Known, to: Known, light: Light, path: string): Filter[] => {
  const { white = 100, desaturation = 0 } = light;
  if (to.transfer === oldCurve) {
    const standard = { range: to.range, primaries: "bt709", transfer: "bt709", matrix: "bt709" };
    return [...toneMapped(from, standard, light, path), ...withOldCurve(standard, to, path)];
  }
  const own = { rin: from.range, pin: from.primaries, tin: exactName(from.transfer), min: exactName(from.matrix) };
  const made = { r: to.range, p: to.primaries, t: exactName(to.transfer), m: exactName(to.matrix) };
  return [
    { name: "zscale", options: { ...own, p: to.primaries, t: "linear", npl: white } },
    { name: "format", options: { pix_fmts: "gbrpf32le" } },
    { name: "tonemap", options: { tonemap: "hable", desat: desaturation } },
    { name: "zscale", options: { ...made, dither: "error_diffusion" } },
  ];
};
