import type { VideoFacts } from "../../../asset.ts";
import { TaskError } from "../../../causes.ts";
import type { Filter } from "../../../ffmpeg/filtergraph.ts";
import { scalerMatrix } from "../../../ffmpeg/scaler-matrix.ts";
import { colorSpaceOf } from "../../../pixel-format.ts";
import type { VideoTarget } from "./schema.ts";
import type { VideoCodec } from "./video.ts";

/** Names in jobs -> names in ffmpeg and ffprobe. */
const primaries: Readonly<Record<string, string>> = { bt601: "smpte170m" };
const transfers: Readonly<Record<string, string>> = {
  ...{ bt601: "smpte170m", st2084: "smpte2084", hlg: "arib-std-b67", arib_stdb67: "arib-std-b67" },
  // The curves of NTSC and PAL sets also have names by their exponents.
  ...{ gamma22: "bt470m", gamma28: "bt470bg", log: "log100", "log sqrt": "log316", "bt1361 ecg": "bt1361e" },
  ...{ "iec61966 2.1": "iec61966-2-1", "iec61966 2.4": "iec61966-2-4" },
  ...{ bt2020_10bit: "bt2020-10", bt2020_12bit: "bt2020-12" },
};
const matrices: Readonly<Record<string, string>> = { bt601: "smpte170m", rgb: "gbr" };
const ranges: Readonly<Record<string, string | undefined>> = { full: "pc", limited: "tv", auto: undefined };

/** Everything that says which colours the numbers mean, in ffmpeg's names. */
export type Colors = {
  readonly range?: string | undefined;
  readonly primaries?: string | undefined;
  readonly transfer?: string | undefined;
  readonly matrix?: string | undefined;
};

type Fields = Pick<VideoTarget, "ire_range_mode" | "color_primaries" | "color_trc" | "color_matrix">;

export const wantedColors = (video: Fields): Colors => ({
  range: ranges[video.ire_range_mode ?? "auto"],
  primaries: video.color_primaries && (primaries[video.color_primaries] ?? video.color_primaries),
  transfer: video.color_trc && (transfers[video.color_trc] ?? video.color_trc),
  matrix: video.color_matrix && (matrices[video.color_matrix] ?? video.color_matrix),
});

/** The source's colour tags; the names of `yuvj` formats mean full range. */
export const sourceColors = (source: VideoFacts): Colors => ({
  range: source.colorRange ?? (source.pixelFormat?.startsWith("yuvj") ? "pc" : undefined),
  primaries: source.colorPrimaries,
  transfer: source.colorTransfer,
  matrix: source.colorSpace,
});

/** A high dynamic range: bright parts must be compressed for a standard screen. */
const highDynamic = ["smpte2084", "arib-std-b67"];

/** Transfers for which the conversion filter has no curve. */
const withoutCurve = ["bt1361e", "smpte428"];

/** Tags where the source has none, a conversion where it has others, nothing where they are the same. */
export const colorFilters = (video: VideoTarget, source: VideoFacts, path: string): Filter[] => {
  const [from, to] = [sourceColors(source), wantedColors(video)];
  const names = ["range", "primaries", "transfer", "matrix"] as const;
  const changed = names.filter((name) => to[name] !== undefined && from[name] !== undefined && to[name] !== from[name]);
  if (changed.length > 0) return conversion(stated(from, source), to, path);
  const added = names.filter((name) => to[name] !== from[name] && to[name] !== undefined);
  if (added.length === 0) return [];
  const options = { range: to.range, color_primaries: to.primaries, color_trc: to.transfer, colorspace: to.matrix };
  return [{ name: "setparams", options }];
};

/** What the colours of standard and high definition are by default; `stated` tells the same of a source. */
const usual = (height: number): Record<"primaries" | "transfer" | "matrix", string> => {
  const name = height >= 720 ? "bt709" : height === 576 ? "bt470bg" : "smpte170m";
  return { primaries: name, transfer: height >= 720 ? "bt709" : "smpte170m", matrix: name };
};

/** A conversion between standard and high definition, if the job leaves the colours to `smart_chroma_conversions`. */
export const betweenDefinitions = (
  video: VideoTarget,
  source: VideoFacts,
  { height }: { readonly height: number },
  path: string,
): Filter[] => {
  const isSaid = video.color_primaries ?? video.color_trc ?? video.color_matrix;
  if (!video.smart_chroma_conversions || isSaid || colorSpaceOf(source.pixelFormat) === "RGB") return [];
  const from = stated(sourceColors(source), source);
  const isStandard = from.primaries !== "bt2020" && !highDynamic.includes(from.transfer);
  return isStandard && height >= 720 !== source.height >= 720 ? conversion(from, usual(height), path) : [];
};

type Light = {
  /** Nits that white of a standard picture has. */
  readonly white?: number | undefined;
  /** Brightness above which tone mapping fades colours; zero: none. */
  readonly desaturation?: number;
};

/** From the fully known colours to the wanted ones; the rest stays. */
export const conversion = (from: Required<Colors>, to: Colors, path: string, light: Light = {}): Filter[] => {
  const lacking = [from.transfer, to.transfer].find((name) => name !== undefined && withoutCurve.includes(name));
  if (lacking)
    throw new TaskError("capability", `${path}.color_trc: converting from or to ${lacking} is not implemented`);
  const input = { rin: from.range, pin: from.primaries, tin: from.transfer, min: from.matrix };
  const output = { r: to.range ?? from.range, p: to.primaries ?? from.primaries, t: to.transfer ?? from.transfer };
  const whole = { ...input, ...output, m: to.matrix ?? from.matrix };
  if (highDynamic.includes(from.transfer ?? "") && !highDynamic.includes(whole.t ?? ""))
    return toneMapped(whole, light);
  return [{ name: "zscale", options: { ...whole, npl: light.white, dither: "error_diffusion" } }];
};

/** Makes the numbers proportional to light, compresses them, and codes them again. */
const toneMapped = (
  { rin, pin, tin, min, r, p, t, m }: Readonly<Record<string, string | undefined>>,
  { white = 100, desaturation = 0 }: Light,
): Filter[] => [
  { name: "zscale", options: { rin, pin, tin, min, p, t: "linear", npl: white } },
  { name: "format", options: { pix_fmts: "gbrpf32le" } },
  { name: "tonemap", options: { tonemap: "hable", desat: desaturation } },
  { name: "zscale", options: { r, p, t, m, dither: "error_diffusion" } },
];

/** For untagged pictures the colours that their size makes likely. */
export const stated = (from: Colors, { height, pixelFormat }: VideoFacts): Required<Colors> => {
  const isRgb = colorSpaceOf(pixelFormat) === "RGB";
  const likely = usual(height);
  return {
    range: from.range ?? (isRgb ? "pc" : "tv"),
    primaries: from.primaries ?? likely.primaries,
    transfer: from.transfer ?? likely.transfer,
    matrix: isRgb ? "gbr" : (from.matrix ?? likely.matrix),
  };
};

/** Matrix and range of a picture, in the names of ffmpeg's scaler. */
export const likelyColors = (source: VideoFacts): { readonly matrix: string; readonly range: string | undefined } => {
  const { matrix = "bt709", range } = stated(sourceColors(source), source);
  return { matrix: scalerMatrix(matrix === "gbr" ? "bt709" : matrix), range };
};

type ScalerColors = Readonly<Record<string, string | undefined>>;

/** How the scaler must treat colour: stills become what every viewer expects, films stay as they are. */
export const colorScaling = (codec: VideoCodec, source: VideoFacts): ScalerColors => {
  if (!codec.isStill) return {};
  // High definition without a tag is BT.709 in practice; the scaler would take it for BT.601.
  const untagged = source.colorSpace === undefined && source.height >= 720 && !source.pixelFormat?.includes("rgb");
  return { in_color_matrix: untagged ? "bt709" : undefined, out_color_matrix: "bt601", out_range: "full" };
};
