import type { VideoFacts } from "../../../../../shared/model/asset.ts";
import { type Colors, conversion, isHighDynamic, sourceColors, stated, usualColors } from "../../../../ffmpeg/color.ts";
import type { Filter } from "../../../../ffmpeg/filtergraph.ts";
import { rescaled } from "../../../../ffmpeg/rescale.ts";
import { isForeign } from "../../../../ffmpeg/scaler-matrix.ts";
import { colorSpaceOf, hasAlpha } from "../../../../formats/pixel-format.ts";
import type { VideoTarget } from "../schema.ts";
import type { VideoCodec } from "../video.ts";

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

type Fields = Pick<VideoTarget, "ire_range_mode" | "color_primaries" | "color_trc" | "color_matrix">;

export const wantedColors = (video: Fields): Colors => ({
  range: ranges[video.ire_range_mode ?? "auto"],
  primaries: video.color_primaries && (primaries[video.color_primaries] ?? video.color_primaries),
  transfer: video.color_trc && (transfers[video.color_trc] ?? video.color_trc),
  matrix: video.color_matrix && (matrices[video.color_matrix] ?? video.color_matrix),
});

type Coding = {
  readonly video: VideoTarget;
  readonly source: VideoFacts;
  readonly codec: VideoCodec;
  /** What the encoder takes. */
  readonly pixelFormat: string;
  /** The target's lines. */
  readonly height: number;
  readonly path: string;
};

/**
 * What makes the numbers of a picture mean what the target says: tags where the source has none, a conversion where it has
 * others, nothing where they are the same. Between red, green and blue and brightness with colour differences, and for
 * codecs whose numbers have one meaning, the meaning is always decided here: a scaler that is left alone takes BT.601.
 */
export const colorFilters = (coding: Coding): Filter[] =>
  isCoded(coding) ? codedColors(coding) : [...askedColors(coding), ...betweenDefinitions(coding)];

/** What the numbers mean that these filters make, as far as anybody says it. */
export const madeColors = (coding: Coding): Colors => {
  const { video, source, height } = coding;
  const own = sourceColors(source);
  const from = stated(own, source);
  if (isCoded(coding)) return codedAs(coding, from);
  const asked = defined(wantedColors(video));
  if (isRgb(source.pixelFormat)) return { ...own, ...asked, matrix: undefined };
  const isOther = isSmart(video) && isOtherDefinition(from, source, height);
  return { ...own, ...(isOther && usualColors(height)), ...asked };
};

const isCoded = ({ source, codec, pixelFormat }: Coding): boolean =>
  codec.numbers !== undefined || isRgb(source.pixelFormat) !== isRgb(pixelFormat);

const isRgb = (pixelFormat: string | undefined): boolean => colorSpaceOf(pixelFormat) === "RGB";

const askedColors = ({ video, source, codec, path }: Coding): Filter[] => {
  const from = sourceColors(source);
  const wanted = { ...unsaid(from, source, codec), ...defined(wantedColors(video)) };
  // Numbers of red, green and blue have no matrix.
  const to: Colors = isRgb(source.pixelFormat) ? { ...wanted, matrix: undefined } : wanted;
  const names = ["range", "primaries", "transfer", "matrix"] as const;
  const changed = names.filter((name) => to[name] !== undefined && from[name] !== undefined && to[name] !== from[name]);
  if (changed.length > 0) return [...conversion(stated(from, source), to, path), ...asRgb(source, source.pixelFormat)];
  const added = names.filter((name) => to[name] !== from[name] && to[name] !== undefined);
  return added.length === 0 ? [] : tagged(to);
};

/** What untagged numbers are likely to mean, where a codec would say another thing of them: files tell all of it or nothing. */
const unsaid = (from: Colors, source: VideoFacts, { untagged }: VideoCodec): Colors => {
  const { matrix, primaries, transfer } = stated(from, source);
  const isSaid = untagged === undefined || from.matrix !== undefined || matrix === untagged;
  return isSaid ? {} : { matrix, primaries, transfer };
};

const defined = (colors: Colors): Colors =>
  Object.fromEntries(Object.entries(colors).filter(([, name]) => name !== undefined));

/** A conversion between standard and high definition, if the job leaves the colours to `smart_chroma_conversions`. */
const betweenDefinitions = ({ video, source, height, path }: Coding): Filter[] => {
  if (!isSmart(video) || isRgb(source.pixelFormat)) return [];
  const from = stated(sourceColors(source), source);
  return isOtherDefinition(from, source, height) ? conversion(from, usualColors(height), path) : [];
};

const isSmart = (video: VideoTarget): boolean =>
  video.smart_chroma_conversions === true &&
  (video.color_primaries ?? video.color_trc ?? video.color_matrix) === undefined;

const isOtherDefinition = (from: Colors, source: VideoFacts, height: number): boolean =>
  from.primaries !== "bt2020" && !isHighDynamic(from.transfer) && height >= 720 !== source.height >= 720;

const codedColors = (coding: Coding): Filter[] => {
  const { video, source, path } = coding;
  const own = sourceColors(source);
  const from = stated(own, source);
  const to = codedAs(coding, from);
  const isOther = to.primaries !== from.primaries || to.transfer !== from.transfer;
  const isPlain = !isOther && ![from, to].some(({ matrix }) => isForeign(matrix));
  const wanted = wantedColors(video);
  const said = { primaries: wanted.primaries ?? own.primaries, transfer: wanted.transfer ?? own.transfer };
  const tags = tagged(isOther || isRgb(source.pixelFormat) ? to : { ...to, ...said });
  const converted = isPlain ? [] : [...conversion(from, to, path), ...asRgb(source, coding.pixelFormat)];
  return [...(isPlain ? rescaled(from, to, source.pixelFormat) : converted), ...tags];
};

/** The exact converter has only planes of red, green and blue, and takes YUV for what comes before packed ones. */
const asRgb = ({ pixelFormat }: VideoFacts, made: string | undefined): Filter[] =>
  isRgb(made) ? [{ name: "format", options: { pix_fmts: hasAlpha(pixelFormat) ? "gbrap16le" : "gbrp16le" } }] : [];

/** What the target's numbers mean. The job decides first, then the codec, then the picture's size. */
const codedAs = ({ video, source, codec, pixelFormat, height }: Coding, from: Required<Colors>): Required<Colors> => {
  const wanted = wantedColors(video);
  const usual = usualColors(height);
  const own = isSmart(video) && isOtherDefinition(from, source, height) ? usual : from;
  const light = codec.isStill && isHighDynamic(from.transfer) ? usualColors(720) : own;
  const colors = { primaries: wanted.primaries ?? light.primaries, transfer: wanted.transfer ?? light.transfer };
  if (isRgb(pixelFormat)) return { ...colors, matrix: "gbr", range: wanted.range ?? "pc" };
  const range = pixelFormat.startsWith("yuvj")
    ? "pc"
    : (wanted.range ?? (isRgb(source.pixelFormat) ? "tv" : from.range));
  const matrix = wanted.matrix === "gbr" ? undefined : wanted.matrix;
  const followed = isRgb(source.pixelFormat) ? ownMatrix(from.primaries, usual.matrix) : from.matrix;
  return { ...colors, range, matrix: codec.numbers?.matrix ?? matrix ?? followed };
};

/** The matrix that goes with wide primaries; else the one that receivers expect of the size. */
const ownMatrix = (primaries: string, usual: string): string => (primaries === "bt2020" ? "bt2020nc" : usual);

/** Says what the numbers mean, but for a matrix that the scaler does not know: that is said behind everything else. */
const tagged = ({ range, primaries: color_primaries, transfer: color_trc, matrix }: Colors): Filter[] => {
  const options = { range, color_primaries, color_trc, colorspace: isForeign(matrix) ? undefined : matrix };
  return Object.values(options).every((each) => each === undefined) ? [] : [{ name: "setparams", options }];
};
