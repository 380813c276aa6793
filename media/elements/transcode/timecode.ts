import { parseFrameRate, type Rational, toNumber } from "../../../shared/basics/rational.ts";
import type { MediaFacts, VideoFacts } from "../../../shared/model/asset.ts";
import { capabilityError, definitionError } from "../../../shared/model/failure.ts";
import type { TimecodeTrack } from "../../formats/mp4/timecodes.ts";
import { constantRate } from "../../formats/stream-timing.ts";
import { canDrop, countedAs, framesToTimecode, timecodeToFrames } from "../../formats/timecode.ts";
import { selectedTimecode } from "../../virtual-source/clock-time.ts";
import type { Conflict } from "./conflicts/conflict.ts";
import type { Target, TimecodeTarget } from "./target-schema.ts";

type Request = {
  readonly target: Target;
  readonly facts: MediaFacts;
  readonly source: VideoFacts;
  /** Frames a second of the target. */
  readonly rate: Rational | undefined;
  readonly hasTrack: boolean;
  readonly path: string;
  readonly conflict: Conflict;
};

/** The timecode of the target's first frame, as the first timecode track has it. A source without timecode counts from zero. */
export const startTimecode = (request: Request): string | undefined => {
  const { target, path, conflict, hasTrack } = request;
  const [track] = target.timecode ?? [];
  if (!track) return undefined;
  if (!hasTrack) {
    conflict(`${path}.timecode needs an mxf container, or a mov or mp4 container with enable_data_tracks`);
    return undefined;
  }
  const { own, out } = ratesOf(request);
  return counted({ ...request, path: `${path}.timecode[0]` }, track, own, out);
};

/** Those of the second timecode track and further ones. Throws TaskError for files that hold one alone. */
export const furtherTimecodes = (request: Request, muxer: string): TimecodeTrack[] => {
  const [, ...tracks] = request.target.timecode ?? [];
  if (tracks.length === 0 || !request.hasTrack) return [];
  if (!/^(mov|mp4)$/.test(muxer))
    throw capabilityError(`${request.path}.timecode[1] is not implemented for ${muxer}: mov and mp4 hold several`);
  const { own, out } = ratesOf(request);
  return tracks.map((track, at) => {
    const text = counted({ ...request, path: `${request.path}.timecode[${at + 1}]` }, track, own, out);
    return { frames: timecodeToFrames(text, out) ?? 0, isDrop: text.includes(";") };
  });
};

const ratesOf = ({ source, rate, path }: Request): { readonly own: Rational; readonly out: Rational } => {
  const own = constantRate(source) ?? source.averageFrameRate;
  if (!own) throw definitionError(`${path}.timecode needs a source with a frame rate`);
  return { own, out: rate ?? own };
};

/** `request.path` is that of the track. */
const counted = (request: Request, track: TimecodeTarget, own: Rational, out: Rational): string => {
  const isGiven = track.source === "start_value" || (track.source === "auto" && track.start_value !== undefined);
  const found = foundIn(request, track);
  const given = (isGiven ? track.start_value : found) ?? "00:00:00:00";
  const isDrop = (track.force_drop || drops(track, given, found)) && canDrop(out);
  // People know the frame by its numbers: another way of counting keeps them.
  const text = countedAs(given, isDrop ? ";00" : ":00");
  const at = track.no_recalculation ? out : (statedRate(track, request.path) ?? (isGiven ? out : own));
  const first = timecodeToFrames(text, at);
  if (first === undefined || (isGiven && !track.start_value)) {
    const field = isGiven ? "start_value" : "source";
    throw definitionError(`${request.path}.${field} is not a timecode of its frame rate: ${given}`);
  }
  if (toNumber(at) === toNumber(out)) return framesToTimecode(first, out, isDrop);
  const clock = framesToTimecode(first, at, isDrop && canDrop(at));
  return atRate(clock, at, out, { isDrop, mode: track.rounding_mode });
};

const foundIn = (
  { facts, path }: Request,
  { source_timecode_selector: selector }: TimecodeTarget,
): string | undefined => {
  const found = selectedTimecode(facts, selector);
  if (found !== undefined || selector === "first") return found;
  throw definitionError(`${path}.source_timecode_selector ${selector}: the source has no such timecode`);
};

const statedRate = ({ timecode_frame_rate: text }: TimecodeTarget, path: string): Rational | undefined => {
  if (text === undefined) return undefined;
  const rate = parseFrameRate(text);
  if (rate) return rate;
  throw definitionError(`${path}.timecode_frame_rate "${text}" is not a frame rate`);
};

// The value's own way of counting, unless the field keeps or changes the source's.
const drops = (
  { inherit_source_ndf_df: inherits }: TimecodeTarget,
  text: string,
  found: string | undefined,
): boolean => (inherits === undefined ? text.includes(";") : inherits && found?.includes(";") === true);

type Rounding = { readonly isDrop: boolean; readonly mode: TimecodeTarget["rounding_mode"] };

/** Another rate keeps the hour, minute and second by which people know the frame; only the frame's number changes. */
export const atRate = (clock: string, own: Rational, out: Rational, { isDrop, mode }: Rounding): string => {
  const frame = Number(clock.slice(-2)) * (nominal(out) / nominal(own));
  const whole = timecodeToFrames(`${clock.slice(0, 8)}${isDrop ? ";" : ":"}00`, out) ?? 0;
  return framesToTimecode(whole + rounded(frame, mode), out, isDrop);
};

const nominal = (rate: Rational) => Math.round(toNumber(rate));

// Rounding to a millionth removes the last bits of a double.
const rounded = (frames: number, mode: Rounding["mode"]): number => {
  if (mode === "nearest") return Math.round(frames);
  return mode === "up" ? Math.ceil(frames - 1e-6) : Math.floor(frames + 1e-6);
};
