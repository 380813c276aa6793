import {
  add,
  compare,
  max,
  negate,
  parseRational,
  type Rational,
  ratio,
  toSeconds,
} from "../../shared/basics/rational.ts";
import type { MediaFacts, Range } from "../../shared/model/asset.ts";
import { capabilityError, definitionError, TaskError } from "../../shared/model/failure.ts";
import { mainVideo } from "../formats/stream-timing.ts";
import { secondsOfFrames } from "../formats/timecode.ts";
import { fromMidnight, timelineRate, timeOfAssetTimecode, timeOfTimecode } from "./clock-time.ts";
import { nearestFrame } from "./excerpt.ts";
import type { Trim } from "./trim-schema.ts";

/** The context for reading a trim. */
export type TrimContext = {
  /** The timeline that is cut: its facts count from its own zero. */
  readonly timeline: MediaFacts;
  /** The path of the trim in the job, for messages. */
  readonly what: string;
  /** When a requested frame of a timeline without a constant rate is shown. */
  readonly frameTimes?: ReadonlyMap<number, Rational>;
};

/**
 * The exact range of a timeline that a trim means, in any variant, with one end or both; the same for sources,
 * components, pipelines and targets. The outpoint is the first frame not included. Undefined if nothing is cut. Throws
 * TaskError `definition` for a trim that contradicts itself or is outside the timeline, `capability` for one that needs
 * unknown properties of the timeline.
 */
export const rangeOf = (trim: Trim | undefined, context: TrimContext): Range | undefined => {
  if (!trim) return undefined;
  const from = pointOf("inpoint", trim, context);
  const given = pointOf("outpoint", trim, context);
  const length = lengthOf(trim, context);
  const start = from ?? ratio(0);
  const to = given ?? (length && add(start, length));
  if (!from && !to) return undefined;
  check(start, to, context);
  if (trim.precision === "sample") return { from: start, to, precision: "sample" };
  return onFrames({ from: start, to }, context.timeline);
};

/** The range with its ends moved to the nearest frames, if frames are equally long; at least one frame. */
const onFrames = ({ from, to }: Range, timeline: MediaFacts): Range => {
  const rate = timelineRate(timeline);
  if (!rate) return { from, to };
  const origin = mainVideo(timeline)?.start ?? ratio(0);
  const begin = nearestFrame(from, origin, rate);
  const end = to && nearestFrame(to, origin, rate);
  return { from: begin, to: end && max(end, add(begin, secondsOfFrames(1, rate))) };
};

/** Frames whose times `rangeOf` needs for a timeline without a constant rate. */
export const framesAsked = ({ inpoint_frame, outpoint_frame, duration_frames }: Trim): number[] => {
  const end = outpoint_frame ?? (duration_frames === undefined ? undefined : (inpoint_frame ?? 0) + duration_frames);
  return [inpoint_frame, end].filter((frame) => frame !== undefined);
};

type End = "inpoint" | "outpoint";
type Reader = (trim: Trim, context: TrimContext) => Rational | undefined;

/** All ways to give an end; at most one of them may be used for each. */
const readers: Readonly<Record<End, Readonly<Record<string, Reader>>>> = {
  inpoint: {
    inpoint_sec: ({ inpoint_sec, sequence_timing }, context) => secondsAt(inpoint_sec, sequence_timing, context),
    inpoint_tc: ({ inpoint_tc }, context) => timeOfTimecode(inpoint_tc, "inpoint_tc", context),
    inpoint_asset_tc: ({ inpoint_asset_tc, source_timecode_selector }, context) =>
      timeOfAssetTimecode(inpoint_asset_tc, source_timecode_selector, "inpoint_asset_tc", context),
    inpoint_frame: ({ inpoint_frame }, context) => frameTime(inpoint_frame, "inpoint_frame", context),
    inpoint_section: ({ inpoint_section }, context) => sectionStart(inpoint_section, "inpoint_section", context),
    section_nr: ({ section_nr }, context) => sectionStart(section_nr, "section_nr", context),
    inpoint: (trim, context) => (trim.inpoint ? trackPlace(trim, context).begin : undefined),
  },
  outpoint: {
    outpoint_sec: ({ outpoint_sec, sequence_timing }, context) => secondsAt(outpoint_sec, sequence_timing, context),
    outpoint_tc: ({ outpoint_tc }, context) => timeOfTimecode(outpoint_tc, "outpoint_tc", context),
    outpoint_asset_tc: ({ outpoint_asset_tc, source_timecode_selector }, context) =>
      timeOfAssetTimecode(outpoint_asset_tc, source_timecode_selector, "outpoint_asset_tc", context),
    outpoint_frame: ({ outpoint_frame }, context) => frameTime(outpoint_frame, "outpoint_frame", context),
    outpoint_section: ({ outpoint_section }, context) => sectionStart(outpoint_section, "outpoint_section", context),
    section_nr: ({ section_nr }, context) => sectionEnd(section_nr, context),
    outpoint: (trim, context) => (trim.outpoint ? trackPlace(trim, context).end : undefined),
  },
};

const pointOf = (end: End, trim: Trim, context: TrimContext): Rational | undefined => {
  const [first, second] = Object.keys(readers[end]).filter((field) => trim[field] !== undefined);
  if (first === undefined) return undefined;
  if (second === undefined) return readers[end][first]?.(trim, context);
  throw definitionError(`${context.what} has two ${end}s: ${first} and ${second}`);
};

const lengthOf = (trim: Trim, context: TrimContext): Rational | undefined => {
  const { duration_sec, duration_tc, duration_frames, inpoint_frame } = trim;
  if (duration_sec !== undefined) return seconds(duration_sec);
  if (duration_tc !== undefined) return timeOfTimecode(duration_tc, "duration_tc", context);
  if (duration_frames === undefined) return undefined;
  const rate = timelineRate(context.timeline);
  if (rate) return secondsOfFrames(duration_frames, rate);
  const first = inpoint_frame ?? 0;
  if (inpoint_frame === undefined && Object.keys(readers.inpoint).some((field) => trim[field] !== undefined)) {
    const why = "the rate varies: frames are counted from inpoint_frame only";
    throw capabilityError(`${context.what}.duration_frames ${duration_frames}: ${why}`);
  }
  const [begin, end] = [first, first + duration_frames].map((frame) => frameTime(frame, "duration_frames", context));
  return begin && end && add(end, negate(begin));
};

const seconds = (value: number | undefined) => parseRational(value?.toFixed(6));

const secondsAt = (value: number | undefined, timing: Trim["sequence_timing"], context: TrimContext) => {
  const time = seconds(value);
  return time && timing === "absolute" ? fromMidnight(time, context) : time;
};

const frameTime = (frame: number | undefined, field: string, { timeline, what, frameTimes }: TrimContext) => {
  if (frame === undefined) return undefined;
  const video = mainVideo(timeline);
  if (!video) throw definitionError(`${what}.${field} counts frames, and there is no picture`);
  const rate = timelineRate(timeline);
  const time = rate ? add(video.start ?? ratio(0), secondsOfFrames(frame, rate)) : frameTimes?.get(frame);
  // The first frame begins the timeline, even if there is sound before it.
  if (time) return frame === 0 ? ratio(0) : time;
  const why = frameTimes
    ? "the picture has no such frame"
    : "the rate varies, and frames are counted in whole files only";
  throw new TaskError(frameTimes ? "definition" : "capability", `${what}.${field} ${frame}: ${why}`);
};

const sectionStart = (number: number | undefined, field: string, { timeline, what }: TrimContext) => {
  if (number === undefined) return undefined;
  const { sections = [] } = timeline;
  const last = sections.at(-1);
  if (field === "outpoint_section" && last && number === sections.length) return last.to;
  const found = sections[number];
  if (found) return found.from;
  const count = sections.length === 0 ? "no sections" : `${sections.length} sections, counted from 0`;
  throw definitionError(`${what}.${field} ${number}: the source has ${count}`);
};

const sectionEnd = (number: number | undefined, context: TrimContext) => {
  if (number === undefined) return undefined;
  sectionStart(number, "section_nr", context);
  return context.timeline.sections?.[number]?.to;
};

type Place = { readonly begin: Rational; readonly end: Rational | undefined };

const trackPlace = ({ reference_media_track: kind = "video" }: Trim, { timeline, what }: TrimContext): Place => {
  const others = timeline.others.filter((stream) => stream.kind === "subtitle");
  const found = { video: mainVideo(timeline), audio: timeline.audio[0], subtitle: others[0] }[kind];
  if (!found) throw definitionError(`${what}.reference_media_track: the source has no ${kind} track`);
  const begin = found.start ?? ratio(0);
  return { begin, end: found.duration ? add(begin, found.duration) : timeline.duration };
};

const check = (from: Rational, to: Rational | undefined, { timeline: { duration }, what }: TrimContext): void => {
  if (to && compare(to, from) <= 0) throw definitionError(`${what} ends before it begins`);
  if (!duration || compare(from, duration) < 0) return;
  throw definitionError(`${what} begins at ${toSeconds(from)} s, its source ends at ${toSeconds(duration)} s`);
};
