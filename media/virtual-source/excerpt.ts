import {
  add,
  compare,
  max,
  min,
  multiply,
  type Rational,
  ratio,
  subtract,
  toFraction,
  toNumber,
  toSeconds,
} from "../../shared/basics/rational.ts";
import type { MediaFacts, Range } from "../../shared/model/asset.ts";
import { definitionError } from "../../shared/model/failure.ts";
import type { Filter } from "../ffmpeg/filtergraph.ts";
import { asShown, constantRate, durationFromZero, mainVideo, zeroOf } from "../formats/stream-timing.ts";

/** The part of one file that is used, in seconds from its zero, and how to read it. */
export type Excerpt = {
  readonly from: Rational;
  /** Absent: to the end. */
  readonly length?: Rational;
  /** As in `SourceInput`. */
  readonly seek?: Rational;
  readonly origin: Rational;
  /** By how much the times of its frames are still too late. */
  readonly lead?: Rational;
  /** Frames a second, where moving them by `lead` makes ffmpeg forget how long a frame lasts. */
  readonly rate?: Rational;
  /** Whether the file has anything before it. */
  readonly isLate: boolean;
  readonly slack: Rational;
  readonly isRegular: boolean;
  /** Its duration, if the file's own duration can be trusted. */
  readonly duration?: Rational;
};

/**
 * The excerpt of a range, moved to the nearest frames if the rate is constant: picture and sound are then cut at the
 * same instant, and the first frame starts at zero. If the range is precise to the sample, or the rate varies, nothing
 * is moved: the frames that begin within the range are used, and sound is cut exactly at its ends. Throws TaskError
 * `definition` for a range beyond the source.
 */
export const buildExcerpt = (range: Range | undefined, facts: MediaFacts, what: string): Excerpt => {
  const main = mainVideo(facts);
  const video = main && asShown(main);
  const rate = video && range?.precision !== "sample" ? constantRate(video) : undefined;
  const origin = video?.start ? subtract(video.start, zeroOf(facts)) : ratio(0);
  const snap = (time: Rational) => (rate ? nearestFrame(time, origin, rate) : time);
  const from = snap(range?.from ?? ratio(0));
  const to = range?.to && snap(range.to);
  const last = lastInstant(from, to, facts, what);
  return {
    from,
    length: to && subtract(to, from),
    seek: seekPoint(from, facts),
    ...beginOf(from, facts, rate),
    isLate: from.num > 0 || compare(facts.start ?? ratio(0), zeroOf(facts)) < 0,
    isRegular: rate !== undefined && (from.num > 0 || isWhole(toNumber(multiply(origin, rate)))),
    slack: rate ? slackOf(rate, facts) : ratio(1, 4000),
    duration: last && subtract(last, from),
  };
};

/**
 * The filters that cut one stream to the excerpt: ffmpeg's own accurate seek drops a frame whose time stamp is slightly
 * early.
 */
export const trimFilters = (name: "trim" | "atrim", { isLate, length, slack, lead, rate }: Excerpt): Filter[] => {
  if (!isLate && !length) return [];
  const earlier = lead && { name: name === "trim" ? "setpts" : "asetpts", options: { expr: sooner(lead) } };
  const early = name === "trim" ? slack : ratio(0);
  const start = isLate ? toSeconds(subtract(ratio(0), early)) : undefined;
  const end = length && toSeconds(subtract(length, early));
  const even = name === "trim" && rate && { name: "fps", options: { fps: toFraction(rate), start_time: 0 } };
  return [...(earlier ? [earlier] : []), { name, options: { start, end } }, ...(even ? [even] : [])];
};

const sooner = ({ num, den }: Rational): string => `PTS-round(${num}/${den}/TB)`;

/** Where a stream of the file is within the excerpt; parts outside do not count. */
export const placeOf = (
  stream: { readonly start?: Rational; readonly duration?: Rational },
  { from, duration }: Excerpt,
  facts: MediaFacts,
): { start?: Rational; duration?: Rational } => {
  const begin = subtract(subtract(stream.start ?? zeroOf(facts), zeroOf(facts)), from);
  const start = max(begin, ratio(0));
  const end = stream.duration ? add(begin, stream.duration) : duration;
  const last = end && duration ? min(end, duration) : end;
  return { start, duration: last && max(subtract(last, start), ratio(0)) };
};

/** The part of a section within the excerpt. */
export const placeOfSection = <T extends { readonly from: Rational; readonly to: Rational }>(
  section: T,
  { from, duration }: Excerpt,
): T[] => {
  const [begin, end] = [max(subtract(section.from, from), ratio(0)), subtract(section.to, from)];
  const last = duration ? min(end, duration) : end;
  return compare(begin, last) < 0 ? [{ ...section, from: begin, to: last }] : [];
};

const lastInstant = (
  from: Rational,
  to: Rational | undefined,
  facts: MediaFacts,
  what: string,
): Rational | undefined => {
  const end = durationFromZero(facts);
  if (!end) return to;
  if (compare(from, end) < 0) return to && compare(to, end) < 0 ? to : end;
  throw definitionError(`${what} begins at ${toSeconds(from)} s, its source ends at ${toSeconds(end)} s`);
};

const isWhole = (frames: number) => Math.abs(frames - Math.round(frames)) < 0.1;

export const nearestFrame = (time: Rational, origin: Rational, rate: Rational): Rational => {
  const frame = Math.round(toNumber(multiply(subtract(time, origin), rate)));
  const snapped = add(origin, ratio(frame * rate.den, rate.num));
  return time.num === 0 || snapped.num < 0 ? ratio(0) : snapped;
};

/**
 * Less than half a frame, because ffmpeg rounds to the stream's time base, which may be a whole frame. Behind a jump,
 * frames are wherever the stream that jumps first goes on: the nearest ones are meant.
 */
const slackOf = (rate: Rational, { clock }: MediaFacts): Rational => ratio(rate.den, rate.num * (clock?.jumps ? 2 : 4));

/** Where a clock may jump, ffmpeg would take a beginning before its first ten seconds for a jump as well. */
const beginOf = (
  from: Rational,
  facts: MediaFacts,
  rate: Rational | undefined,
): Pick<Excerpt, "origin" | "lead" | "rate"> =>
  facts.clock && facts.clock.jumps > 0 && from.num > 0
    ? { origin: zeroOf(facts), lead: from, ...(rate && { rate }) }
    : { origin: add(zeroOf(facts), from) };

/** Nobody can seek by a clock that jumps: then the file is read from its beginning. */
const seekPoint = (from: Rational, facts: MediaFacts): Rational | undefined => {
  if (facts.clock && facts.clock.jumps > 0) return undefined;
  const second = Math.floor(toNumber(from)) - seekMargin(facts);
  return second > 0 ? ratio(second) : undefined;
};

/**
 * Seconds before a wanted frame where reading begins. Transport and program streams have no index: a seek lands
 * anywhere, so there must be a picture to begin with in between.
 */
export const seekMargin = ({ format, clock }: Pick<MediaFacts, "format" | "clock">): number =>
  /mov|matroska|mxf/.test(format) ? 2 : Math.max(6, (clock?.longestGroup ?? 0) + 3);
