import type { MediaFacts, VideoFacts } from "../../asset.ts";
import { TaskError } from "../../causes.ts";
import { type Rational, toNumber } from "../../rational.ts";
import { canDrop, framesOfTimecode, timecodeOfFrames } from "../../timecode.ts";
import { constantRate } from "../../virtual-source/zero.ts";
import type { Conflict } from "./conflict.ts";
import { notImplemented, refuseNotYet } from "./not-yet.ts";
import type { Target, TimecodeTarget } from "./schema.ts";

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

/** The timecode of the target's first frame. A source without timecode counts from zero. */
export const startTimecode = (request: Request): string | undefined => {
  const { target, path, conflict, rate, source, hasTrack } = request;
  const [track, second] = target.timecode ?? [];
  if (!track) return undefined;
  if (second)
    throw new TaskError("capability", `${path}.timecode[1]: more than one timecode track is not implemented yet`);
  refuseNotYet("timecode", track, `${path}.timecode[0]`);
  if (track.source_timecode_selector !== "first") {
    notImplemented(`${path}.timecode[0].source_timecode_selector`, track.source_timecode_selector);
  }
  if (!hasTrack || !target.container?.enable_data_tracks) {
    conflict(`${path}.timecode needs a mov or mp4 container with enable_data_tracks`);
    return undefined;
  }
  const own = constantRate(source) ?? source.averageFrameRate;
  if (!own) throw new TaskError("definition", `${path}.timecode needs a source with a frame rate`);
  return counted(request, track, own, rate ?? own);
};

const counted = ({ facts, source, path }: Request, track: TimecodeTarget, own: Rational, out: Rational): string => {
  const isGiven = track.source === "start_value" || (track.source === "auto" && track.start_value !== undefined);
  const text = (isGiven ? track.start_value : (source.timecode ?? facts.timecode)) ?? "00:00:00:00";
  const first = framesOfTimecode(text, isGiven ? out : own);
  if (first === undefined || (isGiven && !track.start_value)) {
    throw new TaskError("definition", `${path}.timecode[0] has no valid timecode as its start_value`);
  }
  const isDrop = (track.force_drop || text.includes(";")) && canDrop(out);
  if (isGiven) return timecodeOfFrames(first, out, isDrop);
  const clock = timecodeOfFrames(first, own, text.includes(";"));
  return atRate(clock, own, out, { isDrop, mode: track.rounding_mode });
};

type Rounding = { readonly isDrop: boolean; readonly mode: TimecodeTarget["rounding_mode"] };

// Another rate keeps the hour, minute and second that people know the frame by; only the frame is counted anew.
const atRate = (clock: string, own: Rational, out: Rational, { isDrop, mode }: Rounding): string => {
  const frame = Number(clock.slice(-2)) * (nominal(out) / nominal(own));
  const whole = framesOfTimecode(`${clock.slice(0, 8)}${isDrop ? ";" : ":"}00`, out) ?? 0;
  return timecodeOfFrames(whole + rounded(frame, mode), out, isDrop);
};

const nominal = (rate: Rational) => Math.round(toNumber(rate));

// A frame that falls on a number but for the last bits of a double is that number.
const rounded = (frames: number, mode: Rounding["mode"]): number => {
  if (mode === "nearest") return Math.round(frames);
  return mode === "up" ? Math.ceil(frames - 1e-6) : Math.floor(frames + 1e-6);
};
