import { z } from "zod";
import { looseNumber } from "../../../../../shared/basics/loose-values.ts";
import { type Rational, toNumber, toSeconds } from "../../../../../shared/basics/rational.ts";
import { folderUri, type Location } from "../../../../../shared/files/location.ts";
import type { VideoFacts } from "../../../../../shared/model/asset.ts";
import { capabilityError, definitionError, sourceError } from "../../../../../shared/model/failure.ts";
import { numberOrExpression } from "../../../../expressions/field.ts";
import { conversion, likelyColors, obstacleBetween, sourceColors, stated } from "../../../../ffmpeg/color.ts";
import type { Filter } from "../../../../ffmpeg/filtergraph.ts";
import { rescaled } from "../../../../ffmpeg/rescale.ts";
import { hideMatrix, isForeign } from "../../../../ffmpeg/scaler-matrix.ts";
import { bitDepthOf, chromaOf, colorSpaceOf } from "../../../../formats/pixel-format.ts";
import { mainVideo } from "../../../../formats/stream-timing.ts";
import type { Applied, VideoPlace } from "../../filters/filter.ts";
import { numberFrom } from "../../filters/numbers.ts";

const place = numberOrExpression().default(25);
const seconds = looseNumber(0, 1_000_000).optional();

/** Where, how large, how opaque and when an overlay is. */
export const overlayFields = {
  ...{ x: place, y: place },
  ...{ width: numberOrExpression().optional(), height: numberOrExpression().optional() },
  opacity: looseNumber(0, 1).default(1),
  ...{ start_sec: seconds, duration_sec: seconds, fadein_duration_sec: seconds, fadeout_duration_sec: seconds },
};
const overlay = z.looseObject(overlayFields);
export type OverlayPayload = z.output<typeof overlay>;

type Shown = {
  readonly file: Location | undefined;
  /** Name of its field. */
  readonly field: string;
  readonly args: readonly string[];
  /** A single picture stays. A film plays so many times; absent: without end. */
  readonly isStill: boolean;
  readonly times?: number;
};

/** Lays another picture over the chain's one. While its facts are unknown, asks for them. */
export const applyOverlay = (wanted: OverlayPayload, shown: Shown, at: VideoPlace): Applied<VideoFacts> => {
  const uri = folderUri(shown.file, undefined, `${at.path}.${shown.field}`);
  const facts = at.extras.factsOf(uri);
  if (!facts) return { filters: [] };
  const own = mainVideo(facts) ?? facts.video[0];
  if (!own) throw sourceError(`${at.path}.${shown.field} has no picture`);
  const size = sizeOf(wanted, own, at);
  const format = formatOf(at.picture);
  const times = timesOf(wanted, lengthOf(shown, facts.duration, at), at);
  const isFaded = times.fadeIn > 0 || times.fadeOut > 0;
  const filters = [
    ...sized(size, format, own, at),
    ...(wanted.opacity < 1 ? [{ name: "lut", options: { c3: `val*${wanted.opacity}` } }] : []),
    ...(shown.isStill ? (isFaded ? repeated(at.picture) : []) : moved(times.start)),
    ...faded(times),
  ];
  const scope = { ...scopeOf(own, at), overlay_w: size.width, overlay_h: size.height };
  const options = {
    x: Math.round(numberFrom(wanted.x, scope, `${at.path}.x`)),
    y: Math.round(numberFrom(wanted.y, scope, `${at.path}.y`)),
    format: format.overlay,
    // Do not wait for the end of an endless film.
    shortest: shown.isStill && !isFaded ? undefined : 1,
    enable: enabledAt(times),
  };
  return { filters: [{ name: "overlay", options, beside: { uri, args: shown.args, filters } }] };
};

const scopeOf = (own: VideoFacts, { picture, source }: VideoPlace) => ({
  ...{ video_w: picture.width, video_h: picture.height, source_w: source.width, source_h: source.height },
  ...{ overlay_w: own.width, overlay_h: own.height },
  // As ffmpeg has them.
  ...{ W: picture.width, H: picture.height, main_w: picture.width, main_h: picture.height },
});

const sizeOf = ({ width, height }: OverlayPayload, own: VideoFacts, at: VideoPlace) => {
  const side = (value: number | string | undefined, name: string) =>
    value === undefined
      ? undefined
      : whole(numberFrom(value, scopeOf(own, at), `${at.path}.${name}`), `${at.path}.${name}`);
  const [w, h] = [side(width, "width"), side(height, "height")];
  const across = h === undefined ? own.width : Math.max(1, Math.round((h * own.width) / own.height));
  const down = w === undefined ? own.height : Math.max(1, Math.round((w * own.height) / own.width));
  return { width: w ?? across, height: h ?? down };
};

const whole = (value: number, path: string): number => {
  const pixels = Math.round(value);
  if (pixels >= 1 && pixels <= 16_384) return pixels;
  throw definitionError(`${path} is ${pixels} pixels`);
};

type Format = { readonly overlay: string; readonly pixels: string };

/** The common format of both pictures: the lower one's, with transparency for the upper one. */
const formatOf = ({ pixelFormat }: VideoFacts): Format => {
  const isDeep = (bitDepthOf(pixelFormat) ?? 8) > 8;
  if (colorSpaceOf(pixelFormat) === "RGB") return { overlay: "gbrp", pixels: "gbrap" };
  const chroma = { CS_422: "422", CS_444: "444" }[chromaOf(pixelFormat) ?? ""] ?? "420";
  if (chroma === "444" || !isDeep) return { overlay: `yuv${chroma}`, pixels: `yuva${chroma}p` };
  return { overlay: `yuv${chroma}p10`, pixels: `yuva${chroma}p10le` };
};

const sized = (
  { width, height }: { width: number; height: number },
  { pixels }: Format,
  own: VideoFacts,
  { picture, path }: VideoPlace,
): Filter[] => {
  const { matrix, range } = likelyColors(picture);
  const size = { w: width, h: height, flags: "bicubic+accurate_rnd" };
  const format = { name: "format", options: { pix_fmts: pixels } };
  if (isForeign(own.colorSpace) || isForeign(picture.colorSpace))
    return [...hideMatrix(own.colorSpace), { name: "scale", options: size }, ...recolored(own, picture, path), format];
  const [from, to] = [own, picture].map((each) => stated(sourceColors(each), each));
  if (from && to && from.matrix !== "gbr" && from.matrix !== to.matrix && to.matrix !== "gbr")
    return [...rescaled(from, to, own.pixelFormat, size), format];
  const colors = pixels.startsWith("g") ? {} : { out_color_matrix: matrix, out_range: range };
  return [{ name: "scale", options: { ...size, ...colors } }, format];
};

/** In the numbers of the picture below; red, green and blue are taken for those of its own primaries. */
const recolored = (own: VideoFacts, below: VideoFacts, path: string): Filter[] => {
  const to = stated(sourceColors(below), below);
  const { range, primaries, transfer, matrix } = stated(sourceColors(own), own);
  const from = matrix === "gbr" ? { ...to, range, matrix } : { range, primaries, transfer, matrix };
  if (from.matrix === to.matrix) return conversion(from, { range: to.range }, path);
  const why = obstacleBetween(from, to);
  if (why === undefined) return conversion(from, to, path);
  throw capabilityError(`${path} lays ${from.matrix} over ${to.matrix}: ${why}`);
};

type Times = {
  readonly start: number;
  readonly end: number | undefined;
  readonly fadeIn: number;
  readonly fadeOut: number;
};

/** Seconds for which there is something to show. */
const lengthOf = ({ isStill, times, field }: Shown, duration: Rational | undefined, { path }: VideoPlace) => {
  if (isStill || times === undefined) return undefined;
  if (duration) return toNumber(duration) * times;
  throw sourceError(`${path}.${field} does not tell how long it is`);
};

const timesOf = (wanted: OverlayPayload, length: number | undefined, { timing, path }: VideoPlace): Times => {
  const { start_sec: start = 0, duration_sec: duration, fadein_duration_sec: fadeIn = 0 } = wanted;
  const { fadeout_duration_sec: fadeOut = 0 } = wanted;
  const lasts = duration === undefined || length === undefined ? (duration ?? length) : Math.min(duration, length);
  const end = lasts === undefined ? undefined : start + lasts;
  if (fadeOut === 0) return { start, end, fadeIn, fadeOut };
  const last = end ?? (timing.duration && toNumber(timing.duration));
  if (last !== undefined) return { start, end: last, fadeIn, fadeOut };
  throw definitionError(`${path}.fadeout_duration_sec needs a duration_sec: the source does not tell its own`);
};

/** Hides a frame that begins at the end, or before it by rounding. */
const slack = 0.001;

const enabledAt = ({ start, end }: Times): string | undefined => {
  if (start === 0 && end === undefined) return undefined;
  const from = `gte(t,${toSeconds(Math.max(0, start - slack))})`;
  return end === undefined ? from : `${from}*lt(t,${toSeconds(end - slack)})`;
};

/** A still as a film without end, at the rate of the picture below it. */
const repeated = ({ frameRate }: VideoFacts): Filter[] => [
  { name: "loop", options: { loop: -1, size: 1 } },
  { name: "settb", options: { expr: "1/90000" } },
  { name: "setpts", options: { expr: frameRate ? `N*${frameRate.den}/${frameRate.num}/TB` : "N/25/TB" } },
];

/** A film from its start on. */
const moved = (start: number): Filter[] => [
  { name: "settb", options: { expr: "1/90000" } },
  { name: "setpts", options: { expr: `PTS-STARTPTS+${toSeconds(start)}/TB` } },
];

const faded = ({ start, end, fadeIn, fadeOut }: Times): Filter[] => [
  ...(fadeIn > 0 ? [fade("in", start, fadeIn)] : []),
  ...(fadeOut > 0 && end !== undefined ? [fade("out", end - fadeOut, fadeOut)] : []),
];

const fade = (type: "in" | "out", start: number, duration: number): Filter => ({
  name: "fade",
  options: { type, start_time: toSeconds(Math.max(0, start)), duration: toSeconds(duration), alpha: 1 },
});
