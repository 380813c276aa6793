import type { MediaFacts, Range, VideoFacts } from "../../asset.ts";
import { TaskError } from "../../causes.ts";
import { words } from "../../ffmpeg/args.ts";
import type { Filter } from "../../ffmpeg/filtergraph.ts";
import { add, compare, multiply, type Rational, ratio, subtract, toNumber, toSeconds } from "../../rational.ts";
import type { Arg } from "../../work.ts";

/** The part of the source that is used, in seconds from its first instant. */
export type Span = {
  readonly from: Rational;
  /** Absent: to the end. */
  readonly length?: Rational;
  /** Where reading begins: some seconds before `from`, so that every frame of the span can be decoded. */
  readonly seek?: Rational;
  /** How far from its due time a video frame may be stamped and still be the one that is meant. */
  readonly slack: Rational;
  /** Seconds before zero at which the source's stamps begin: priming of its sound, which nobody hears. */
  readonly early?: Rational;
  /** Whether frames fall on multiples of their duration, so that they can be counted instead of timed. */
  readonly isRegular: boolean;
  /** What the outputs should last, where the source's own duration can be trusted. */
  readonly duration?: Rational;
};

/**
 * The span of a range, moved to the nearest frames where the rate is constant: picture and sound are then cut at
 * the same instant, and the first frame starts at zero. Throws TaskError `definition` for one beyond the source.
 */
export const spanOf = (
  range: Range | undefined,
  facts: MediaFacts,
  video: VideoFacts | undefined,
  what: string,
): Span => {
  const rate = video && constantRate(video);
  const origin = video?.start ? subtract(video.start, firstInstant(facts)) : ratio(0);
  const snap = (time: Rational) => (rate ? nearestFrame(time, origin, rate) : time);
  const from = snap(range?.from ?? ratio(0));
  const to = range?.to && snap(range.to);
  const last = lastInstant(from, to, facts, what);
  return {
    from,
    length: to && subtract(to, from),
    seek: from.num > 0 ? seekPoint(from, facts) : undefined,
    early: facts.start && facts.start.num < 0 ? facts.start : undefined,
    isRegular: rate !== undefined && (from.num > 0 || isWhole(toNumber(multiply(origin, rate)))),
    slack: rate ? ratio(rate.den, rate.num * 2) : ratio(1, 2000),
    duration: last && subtract(last, from),
  };
};

const lastInstant = (
  from: Rational,
  to: Rational | undefined,
  facts: MediaFacts,
  what: string,
): Rational | undefined => {
  const end = trustedDuration(facts);
  if (!end) return to;
  if (compare(from, end) < 0) return to && compare(to, end) < 0 ? to : end;
  throw new TaskError("definition", `${what} begins at ${toSeconds(from)} s, its source ends at ${toSeconds(end)} s`);
};

/** What "seconds from the first instant" counts from; stamps before zero are never shown. */
export const firstInstant = ({ start }: MediaFacts): Rational => (start && start.num > 0 ? start : ratio(0));

const isWhole = (frames: number) => Math.abs(frames - Math.round(frames)) < 0.1;

/** The rate where every frame lasts equally long, as far as the container tells. */
export const constantRate = ({ frameRate, averageFrameRate }: VideoFacts): Rational | undefined => {
  if (!frameRate || !averageFrameRate) return undefined;
  return Math.abs(toNumber(averageFrameRate) / toNumber(frameRate) - 1) < 0.002 ? frameRate : undefined;
};

/**
 * Options before `-i`. Reading begins at `seek` and all times are shifted so that `from` is zero; cutting is left to
 * the filters, because ffmpeg's own accurate seek drops a frame that is stamped a moment too early.
 */
export const inputWords = ({ from, seek, early }: Span): Arg[] => {
  if (!seek && !early) return [];
  // ffmpeg counts from the earliest stamp, also from one before zero.
  const shift = add(subtract(seek ?? ratio(0), from), early ?? ratio(0));
  return [
    ...(seek ? ["-noaccurate_seek"] : []),
    ...words({ ss: seek && toSeconds(seek), itsoffset: toSeconds(shift) }),
  ];
};

/** The filters that cut one stream to the span. */
export const cut = (name: "trim" | "atrim", { from, length, slack, early }: Span): Filter[] => {
  const begins = from.num > 0 || early !== undefined;
  if (!begins && !length) return [];
  const sooner = name === "trim" ? slack : ratio(0);
  const start = begins ? toSeconds(subtract(ratio(0), sooner)) : undefined;
  return [{ name, options: { start, end: length && toSeconds(subtract(length, sooner)) } }];
};

const nearestFrame = (time: Rational, origin: Rational, rate: Rational): Rational => {
  const frame = Math.round(toNumber(multiply(subtract(time, origin), rate)));
  const snapped = add(origin, ratio(frame * rate.den, rate.num));
  return time.num === 0 || snapped.num < 0 ? ratio(0) : snapped;
};

// Transport streams have no index: a seek may land after the frame it should land before.
const seekPoint = (from: Rational, { format }: MediaFacts): Rational => {
  const margin = /mov|matroska|mxf/.test(format) ? 2 : 6;
  return ratio(Math.max(0, Math.floor(toNumber(from)) - margin));
};

// Elementary streams have no times: ffprobe guesses their duration from the bit rate.
const guessedDurations = ["h264", "hevc", "m4v", "mpegvideo", "aac", "mp3", "ac3", "eac3", "dts"];

const trustedDuration = ({ format, duration, start }: MediaFacts): Rational | undefined => {
  if (!duration || guessedDurations.includes(format)) return undefined;
  return start && start.num < 0 ? add(duration, start) : duration;
};
