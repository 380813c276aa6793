import {
  compare,
  parseFrameRate,
  parseRational,
  type Rational,
  ratio,
  toFraction,
  toNumber,
} from "../../../../shared/basics/rational.ts";
import type { VideoFacts } from "../../../../shared/model/asset.ts";
import { constantRate } from "../../../formats/stream-timing.ts";
import type { VideoTarget } from "../video/schema.ts";

/** A picture of a television system: its points, how often it comes, and the shapes of screens that it is for. */
export type Raster = {
  readonly width: number;
  readonly height: number;
  readonly rate: Rational;
  /** It is shown 4 to 3 or 16 to 9; absent: its points are square. */
  readonly screens?: readonly ("4/3" | "16/9")[];
  /** Two fields may make a picture: the upper or the lower one comes first. */
  readonly fields?: "tff" | "bff";
};

const both = ["4/3", "16/9"] as const;
const ntsc = ratio(30_000, 1001);

type Form = Omit<Raster, "width" | "height" | "rate">;

/** Pictures of so many points across in both old systems: 625 lines at 25 a second, and 525 lines at 29.97. */
const inBoth = (width: number, heights: readonly [number, number], more: Form): readonly Raster[] => [
  { width, height: heights[0], rate: ratio(25), ...more },
  { width, height: heights[1], rate: ntsc, ...more },
];

/** Of DV: the lower field first in both systems (IEC 61834-2). */
export const dvPictures = inBoth(720, [576, 480], { screens: both, fields: "bff" });
/** Of D-10 (SMPTE 356M), without and with the lines above the picture. */
export const d10Pictures = inBoth(720, [576, 480], { screens: both, fields: "tff" });
export const blankedPictures = inBoth(720, [608, 512], { screens: both, fields: "tff" });

/** DVD-Video (part 3): the whole width first. */
export const dvdPictures: readonly Raster[] = [
  ...[720, 704].flatMap((width) => inBoth(width, [576, 480], { screens: both, fields: "tff" })),
  ...inBoth(352, [576, 480], { screens: ["4/3"], fields: "tff" }),
  ...inBoth(352, [288, 240], { screens: ["4/3"] }),
];
/** High definition of so many lines, for wide screens. */
export const wide = (width: number, height: number, rates: readonly Rational[], fields?: "tff"): readonly Raster[] =>
  rates.map((rate) => ({ width, height, rate, screens: ["16/9"], ...(fields && { fields }) }));

/** Video CD 2.0. */
export const vcdPictures = inBoth(352, [288, 240], { screens: ["4/3"] });
/** Super Video CD (IEC 62107). */
export const svcdPictures = inBoth(480, [576, 480], { screens: both, fields: "tff" });

/**
 * The target with what it leaves out taken from the nearest of these pictures: size, rate, shape, and fields where the
 * source has twice as many pictures. What the job says decides among them; if none of them fits that, it stays as it is.
 */
export const inRaster = (video: VideoTarget, source: VideoFacts, rasters: readonly Raster[]): VideoTarget => {
  const own = constantRate(source);
  const asked = video.frame_rate === undefined ? undefined : parseFrameRate(video.frame_rate);
  const rate = asked ?? own ?? source.averageFrameRate ?? ratio(25);
  const fitting = rasters.filter(
    ({ width, height, rate: each }) =>
      (video.width ?? width) === width &&
      (video.height ?? height) === height &&
      (asked === undefined || compare(asked, each) === 0),
  );
  const found = nearest(fitting, rate, { height: source.height, isWide: shapeOf(video, source) > wideFrom });
  if (!found) return video;
  const isTwice = Math.abs(toNumber(rate) / toNumber(found.rate) - 2) < 0.01;
  const isOther = asked === undefined && (!own || compare(own, found.rate) !== 0);
  const isGiven = video.dar !== undefined || video.par !== undefined;
  const dar = screenOf(found, video, source);
  return {
    ...video,
    // A file of such a picture that says nothing of its points' shape, or that they are square, is of such a screen.
    ...(!isGiven && isRaw(video, source, found) && { force_source_dar: dar }),
    ...{ width: found.width, height: found.height },
    ...(isOther && { frame_rate: toFraction(found.rate) }),
    ...(isTwice && found.fields && video.interlace_mode === undefined && { interlace_mode: found.fields }),
    ...(!isGiven && { dar }),
  };
};

type Seen = { readonly height: number; readonly isWide: boolean };

/** By rate, then by lines: rather more than fewer, and rather a picture that a wide screen shows where the source is wide. */
const nearest = (rasters: readonly Raster[], rate: Rational, { height, isWide }: Seen): Raster | undefined => {
  const costs = rasters.map((each) => {
    const lines = each.height < height ? (height - each.height) / 1000 : (each.height - height) / 10_000;
    const isNarrow = isWide && each.screens?.includes("16/9") === false;
    return 1000 * rateCost(rate, each.rate) + lines + (isNarrow ? 0.1 : 0);
  });
  return rasters[costs.indexOf(Math.min(...costs))];
};

/** How far one rate is from another, or from twice the other. What was made for 525 lines stays there. */
const rateCost = (from: Rational, to: Rational): number => {
  const times = Math.log2(toNumber(from) / toNumber(to));
  const away = Math.min(Math.abs(times), Math.abs(times - 1));
  return Math.round(1000 * away) / 1000 + (away > 0.003 && (from.den === 1001) !== (to.den === 1001) ? 0.5 : 0);
};

const isRaw = (video: VideoTarget, { width, height, pixelAspect = ratio(1) }: VideoFacts, raster: Raster): boolean =>
  video.force_source_dar === undefined &&
  video.force_source_par === undefined &&
  compare(pixelAspect, ratio(1)) === 0 &&
  width === raster.width &&
  height === raster.height;

/** Half way between both screens. */
const wideFrom = 1.55;

/** Wider than that is wide. */
const screenOf = ({ screens = [], width, height }: Raster, video: VideoTarget, source: VideoFacts): string => {
  const shape = shapeOf(video, source);
  if (screens.length === 0) return toFraction(ratio(width, height));
  const wished = shape > wideFrom ? "16/9" : "4/3";
  return screens.find((each) => each === wished) ?? screens[0] ?? wished;
};

const shapeOf = (video: VideoTarget, { width, height, pixelAspect = ratio(1) }: VideoFacts): number => {
  const dar = video.force_source_dar === undefined ? undefined : parseRational(video.force_source_dar);
  const par = video.force_source_par === undefined ? undefined : parseRational(video.force_source_par);
  return dar ? toNumber(dar) : (width / height) * toNumber(par ?? pixelAspect);
};
