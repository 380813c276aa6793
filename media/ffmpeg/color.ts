import type { VideoFacts } from "../../shared/model/asset.ts";
import { capabilityError } from "../../shared/model/failure.ts";
import { colorSpaceOf } from "../formats/pixel-format.ts";
import type { Filter } from "./filtergraph.ts";
import { scalerMatrix } from "./scaler-matrix.ts";

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
  const likely = usualColors(height);
  return {
    range: from.range ?? (isRgb ? "pc" : "tv"),
    primaries: from.primaries ?? likely.primaries,
    transfer: from.transfer ?? likely.transfer,
    matrix: isRgb ? "gbr" : (from.matrix ?? likely.matrix),
  };
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

/** From the fully known colours to the wanted ones; the rest stays. */
export const conversion = (from: Required<Colors>, to: Colors, path: string, light: Light = {}): Filter[] => {
  const lacking = [from.transfer, to.transfer].find((name) => name !== undefined && withoutCurve.includes(name));
  if (lacking)
    throw capabilityError(`${path}.color_trc: converting from or to ${jobsName(lacking)} is not implemented`);
  const input = { rin: from.range, pin: from.primaries, tin: from.transfer, min: from.matrix };
  const output = { r: to.range ?? from.range, p: to.primaries ?? from.primaries, t: to.transfer ?? from.transfer };
  const whole = { ...input, ...output, m: to.matrix ?? from.matrix };
  if (isHighDynamic(from.transfer) && !isHighDynamic(whole.t)) return toneMapped(whole, light, path);
  const unknown = [whole.m, whole.min].find((name) => withoutMatrix.includes(name));
  if (unknown && whole.m !== whole.min)
    throw capabilityError(`${path}.color_matrix: converting from or to ${unknown} is not implemented`);
  const isCurved = from.transfer !== whole.t || from.primaries !== whole.p;
  if (isCurved && [from.transfer, whole.t].includes(oldCurve))
    return withOldCurve(from, { range: whole.r, primaries: whole.p, transfer: whole.t, matrix: whole.m }, path);
  return [{ name: "zscale", options: { ...whole, npl: light.white, dither: "error_diffusion" } }];
};

/** The curve of SMPTE 240M: the exact filter stops at it, and another one has it, which knows few others and no RGB. */
const oldCurve = "smpte240m";
const besideOldCurve = {
  transfer: /^(bt709|bt470m|bt470bg|smpte170m|smpte240m|iec61966-2-[14]|bt2020-1[02])$/,
  primaries: /^(bt709|bt470m|bt470bg|smpte170m|smpte240m|smpte43[12]|bt2020|film)$/,
  matrix: /^(gbr|bt709|bt470bg|smpte170m|smpte240m|bt2020nc)$/,
} as const;

const withOldCurve = (from: Required<Colors>, to: Required<Colors>, path: string): Filter[] => {
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
    ...(to.matrix === "gbr"
      ? [{ name: "zscale", options: { min: "bt709", rin: "tv", m: "gbr", r: to.range, dither: "error_diffusion" } }]
      : []),
  ];
};

/** Transfers for which the conversion filter has no curve, and matrices that it does not know. */
const withoutCurve = ["bt1361e", "smpte428"];
const withoutMatrix = ["smpte2085"];

/** Makes the numbers proportional to light, compresses them, and codes them again. */
const toneMapped = (
  { rin, pin, tin, min, r, p, t, m }: Readonly<Record<string, string | undefined>>,
  { white = 100, desaturation = 0 }: Light,
  path: string,
): Filter[] =>
  t === oldCurve
    ? [
        ...toneMapped({ rin, pin, tin, min, r, p: "bt709", t: "bt709", m: "bt709" }, { white, desaturation }, path),
        ...withOldCurve(
          { range: r ?? "tv", primaries: "bt709", transfer: "bt709", matrix: "bt709" },
          { range: r ?? "tv", primaries: p ?? "bt709", transfer: t, matrix: m ?? "bt709" },
          path,
        ),
      ]
    : [
        { name: "zscale", options: { rin, pin, tin, min, p, t: "linear", npl: white } },
        { name: "format", options: { pix_fmts: "gbrpf32le" } },
        { name: "tonemap", options: { tonemap: "hable", desat: desaturation } },
        { name: "zscale", options: { r, p, t, m, dither: "error_diffusion" } },
      ];
