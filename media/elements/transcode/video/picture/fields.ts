import { multiply, type Rational, ratio, toFraction, toNumber } from "../../../../../shared/basics/rational.ts";
import type { VideoFacts } from "../../../../../shared/model/asset.ts";
import { definitionError } from "../../../../../shared/model/failure.ts";
import type { Filter } from "../../../../ffmpeg/filtergraph.ts";
import { isTopFirst } from "../../../../formats/field-order.ts";
import type { VideoTarget } from "../schema.ts";
import type { Scan, VideoCodec } from "../video.ts";

export const scanOf = ({ fieldOrder }: Pick<VideoFacts, "fieldOrder">): Scan => {
  if (!fieldOrder || fieldOrder === "progressive") return "progressive";
  return isTopFirst(fieldOrder) ? "tff" : "bff";
};

/**
 * The target's scan: the one asked for, else the source's, else what the codec has. Throws TaskError where the codec does
 * not have the one asked for.
 */
export const wantedScan = (video: VideoTarget, source: VideoFacts, codec: VideoCodec, path: string): Scan => {
  const asked = video.interlace_mode;
  const scans: readonly Scan[] = codec.scans ?? ["progressive"];
  if (asked !== undefined) {
    if (scans.includes(asked)) return asked;
    throw definitionError(`${path}.interlace_mode ${asked}: ${codec.name} has ${scans.join(", ")} here`);
  }
  const own = scanOf(source);
  if (codec.isStill || scans.includes(own)) return codec.isStill ? "progressive" : own;
  return scans.find((scan) => scan !== "progressive") ?? "progressive";
};

type Change = {
  readonly from: Scan;
  readonly to: Scan;
  /** Frames a second of the source and of the target, where they are known. */
  readonly own: Rational | undefined;
  readonly rate: Rational | undefined;
  /** Whether lines are added, taken away or moved. */
  readonly isReshaped: boolean;
  /** `smart_temporal_conversions`: fields carry as much motion as they can where the rates differ. */
  readonly isSmart: boolean;
};

/** Filters before and after scaling, and whether they settle the rate. */
export type FieldFilters = {
  readonly before: readonly Filter[];
  readonly after: readonly Filter[];
  readonly settlesRate: boolean;
  /** Each picture has the lines of two fields while it is scaled. */
  readonly isInterlaced: boolean;
  /** Bits of each value that are left, where filters keep fewer than pictures may have. */
  readonly bits?: number;
};

/** How pictures of one scan become pictures of another, with as much of their motion as the rates allow. */
export const fieldFilters = (change: Change): FieldFilters => {
  if (change.from === "progressive") return change.to === "progressive" ? untouched : toFields(change);
  return change.to === "progressive" ? fromFields(change) : betweenFields(change);
};

const untouched: FieldFilters = { before: [], after: [], settlesRate: false, isInterlaced: false };

// With twice the wanted rate, each picture gives one field; else fields are only marked, and a pair shows one moment.
const toFields = (change: Change): FieldFilters => {
  const { to, own, rate, isSmart } = change;
  if (isTwice(own, rate)) return { ...untouched, after: [interlaced(to, "linear")], settlesRate: true };
  if (!isSmart || !own || !rate || isSameRate(change)) return { ...untouched, after: [marked(to)] };
  // Each field shows the picture of its own moment: 24 pictures become 60 fields in turns of 2 and 3. Slower film keeps all
  // its lines, as both fields of a frame mostly come from one picture.
  const lowpass = toNumber(own) > toNumber(rate) ? "linear" : "off";
  return { ...untouched, after: [resampled(multiply(rate, ratio(2))), interlaced(to, lowpass)], settlesRate: true };
};

const fromFields = (change: Change): FieldFilters => {
  const { from, own, rate, isSmart } = change;
  if (isTwice(rate, own)) return { ...untouched, before: [deinterlaced(from, "send_field")], settlesRate: true };
  if (!isSmart || isSameRate(change)) return { ...untouched, before: [deinterlaced(from, "send_frame")] };
  if (isFilmOf(own, rate)) return { ...untouched, before: withoutPulldown(from), settlesRate: true, bits: 8 };
  return { ...untouched, before: [deinterlaced(from, "send_field")] };
};

// Fields that stay where they are keep their lines. Others become pictures for the time of the change.
const betweenFields = (change: Change): FieldFilters => {
  const { from, to, rate, isReshaped } = change;
  if (isSameRate(change) && !isReshaped) {
    const before: Filter[] = from === to ? [] : [{ name: "fieldorder", options: { order: to } }];
    return { before, after: [marked(to)], settlesRate: false, isInterlaced: true };
  }
  const moments = rate && !isSameRate(change) ? [resampled(multiply(rate, ratio(2)))] : [];
  return {
    before: [deinterlaced(from, "send_field"), ...moments],
    after: [interlaced(to, isReshaped ? "linear" : "off")],
    settlesRate: true,
    isInterlaced: false,
  };
};

const isSameRate = ({ own, rate }: Change): boolean => !rate || !own || toNumber(rate) === toNumber(own);

/** Four pictures for five frames: film that was shown in turns of 2 and 3 fields. */
const isFilmOf = (video: Rational | undefined, film: Rational | undefined): boolean =>
  video !== undefined && film !== undefined && Math.abs(toNumber(film) / toNumber(video) - 0.8) < 0.001;

/** Fields of one picture are found again, what fits no other becomes a picture, and each fifth is a repetition. */
const withoutPulldown = (from: Scan): Filter[] => [
  { name: "fieldmatch", options: { order: from, combmatch: "full" } },
  { name: "bwdif", options: { mode: "send_frame", parity: from, deint: "interlaced" } },
  { name: "decimate", options: {} },
];

const resampled = (rate: Rational): Filter => ({ name: "fps", options: { fps: toFraction(rate), start_time: "0" } });

const isTwice = (more: Rational | undefined, less: Rational | undefined): boolean =>
  more !== undefined && less !== undefined && Math.abs(toNumber(more) / toNumber(less) - 2) < 0.002;

const deinterlaced = (from: Scan, mode: "send_frame" | "send_field"): Filter => ({
  name: "bwdif",
  options: { mode, parity: from },
});

const interlaced = (scan: Scan, lowpass: "off" | "linear"): Filter => ({
  name: "interlace",
  options: { scan, lowpass },
});

const marked = (mode: Scan): Filter => ({ name: "setfield", options: { mode } });
