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
};

/** Filters before and after scaling, and whether they settle the rate. */
export type FieldFilters = {
  readonly before: readonly Filter[];
  readonly after: readonly Filter[];
  readonly settlesRate: boolean;
  /** Each picture has the lines of two fields while it is scaled. */
  readonly isInterlaced: boolean;
};

/** How pictures of one scan become pictures of another, with as much of their motion as the rates allow. */
export const fieldFilters = (change: Change): FieldFilters => {
  if (change.from === "progressive") return change.to === "progressive" ? untouched : toFields(change);
  return change.to === "progressive" ? fromFields(change) : betweenFields(change);
};

const untouched: FieldFilters = { before: [], after: [], settlesRate: false, isInterlaced: false };

// With twice the wanted rate, each picture gives one field; else fields are only marked, and a pair shows one moment.
const toFields = ({ to, own, rate }: Change): FieldFilters =>
  isTwice(own, rate)
    ? { ...untouched, after: [interlaced(to, "linear")], settlesRate: true }
    : { ...untouched, after: [marked(to)] };

const fromFields = ({ from, own, rate }: Change): FieldFilters => {
  const isDoubled = isTwice(rate, own);
  return {
    ...untouched,
    before: [deinterlaced(from, isDoubled ? "send_field" : "send_frame")],
    settlesRate: isDoubled,
  };
};

// Fields that stay where they are keep their lines. Others become pictures for the time of the change.
const betweenFields = ({ from, to, own, rate, isReshaped }: Change): FieldFilters => {
  const isSameRate = !rate || !own || toNumber(rate) === toNumber(own);
  if (isSameRate && !isReshaped) {
    const before: Filter[] = from === to ? [] : [{ name: "fieldorder", options: { order: to } }];
    return { before, after: [marked(to)], settlesRate: false, isInterlaced: true };
  }
  const doubled = rate && toFraction(multiply(rate, ratio(2)));
  const resampled: Filter[] = isSameRate ? [] : [{ name: "fps", options: { fps: doubled, start_time: "0" } }];
  return {
    before: [deinterlaced(from, "send_field"), ...resampled],
    after: [interlaced(to, isReshaped ? "linear" : "off")],
    settlesRate: true,
    isInterlaced: false,
  };
};

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
