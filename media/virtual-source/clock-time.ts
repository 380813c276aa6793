import { add, compare, type Rational, ratio, subtract } from "../../shared/basics/rational.ts";
import type { MediaFacts } from "../../shared/model/asset.ts";
import { definitionError } from "../../shared/model/failure.ts";
import { constantRate, mainVideo } from "../formats/stream-timing.ts";
import {
  canDrop,
  countedAs,
  framesOfDay,
  isDropTimecode,
  secondsOfFrames,
  timecodeToFrames,
} from "../formats/timecode.ts";
import type { Trim } from "./trim-schema.ts";

type Context = { readonly timeline: MediaFacts; readonly what: string };

/** The rate by which frames of a timeline can be counted; undefined if it varies. */
export const timelineRate = (timeline: MediaFacts): Rational | undefined => {
  const video = mainVideo(timeline);
  return video && constantRate(video);
};

/** Seconds of a timecode that counts the timeline's first frame as 00:00:00:00. */
export const timeOfTimecode = (text: string | undefined, field: string, context: Context): Rational | undefined => {
  if (text === undefined) return undefined;
  const rate = timecodeRate(field, context);
  return pictureTime(readFrames(text, rate, field, context), rate, context);
};

/**
 * Seconds of a timecode on the timeline's own clock. After midnight, a timecode below its start belongs to the next
 * day.
 */
export const timeOfAssetTimecode = (
  text: string | undefined,
  selector: Trim["source_timecode_selector"],
  field: string,
  context: Context,
): Rational | undefined => {
  if (text === undefined) return undefined;
  const rate = timecodeRate(field, context);
  const start = startOf(selector, field, context);
  const first = readFrames(start, rate, field, context);
  // Numbers mean what a player shows: they are counted as the timeline counts, however they are written.
  const frames = readFrames(countedAs(text, start), rate, field, context) - first;
  if (frames >= 0) return pictureTime(frames, rate, context);
  const time = pictureTime(frames + framesOfDay(rate, isDropTimecode(start) && canDrop(rate)), rate, context);
  const { duration } = context.timeline;
  if (!duration || compare(time, duration) <= 0) return time;
  throw definitionError(`${context.what}.${field} ${text} is before the source's first frame, ${start}`);
};

/** Timeline seconds for seconds of its own clock, which its timecode counts from midnight. */
export const fromMidnight = (time: Rational, context: Context): Rational => {
  const rate = timecodeRate("sequence_timing", context);
  const start = startOf(undefined, "sequence_timing", context);
  const began = secondsOfFrames(readFrames(start, rate, "sequence_timing", context), rate);
  const found = subtract(time, began);
  if (found.num >= 0) return found;
  throw definitionError(`${context.what}: absolute times before the source's first frame, ${start}, are not in it`);
};

/** The timeline's own timecode that a selector names. */
export const selectedTimecode = (
  { timecode, timecodes = [], video }: MediaFacts,
  selector: Trim["source_timecode_selector"] = "first",
): string | undefined => {
  const all = timecodes.map(({ value }) => value).sort();
  if (selector === "highest" || selector === "lowest") return (selector === "lowest" ? all[0] : all.at(-1)) ?? timecode;
  if (selector !== "first") return timecodes.find(({ kind }) => kindsOf[selector].includes(kind))?.value;
  return video.find(({ isCover }) => !isCover)?.timecode ?? timecode ?? timecodes[0]?.value;
};

/** A job's selector -> where such a timecode is found. */
const kindsOf: Readonly<
  Record<Exclude<NonNullable<Trim["source_timecode_selector"]>, "first" | "highest" | "lowest">, readonly string[]>
> = {
  mxf: ["material_package", "source_package"],
  gop: ["gop"],
  sdti: ["sdti"],
  smpte: ["smpte"],
  material_package: ["material_package"],
  source_package: ["source_package"],
};

const startOf = (selector: Trim["source_timecode_selector"], field: string, { timeline, what }: Context): string => {
  const found = selectedTimecode(timeline, selector);
  if (found !== undefined) return found;
  const which = selector && selector !== "first" ? `timecode of the kind ${selector}` : "timecode";
  throw definitionError(`${what}.${field} needs a ${which}, the source has none`);
};

const timecodeRate = (field: string, { timeline, what }: Context): Rational => {
  const rate = timelineRate(timeline) ?? mainVideo(timeline)?.averageFrameRate;
  if (rate) return rate;
  throw definitionError(`${what}.${field} counts frames, and the source has no frame rate`);
};

const readFrames = (text: string, rate: Rational, field: string, { what }: Context): number => {
  const frames = timecodeToFrames(text, rate);
  if (frames !== undefined) return frames;
  throw definitionError(`${what}.${field}: ${text} is not a timecode at ${rate.num}/${rate.den} frames per second`);
};

// The first frame begins the timeline, even if there is sound before it.
const pictureTime = (frames: number, rate: Rational, { timeline }: Context): Rational =>
  frames === 0 ? ratio(0) : add(mainVideo(timeline)?.start ?? ratio(0), secondsOfFrames(frames, rate));
