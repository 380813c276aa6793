import { type Rational, toNumber, toSeconds } from "../../../../../shared/basics/rational.ts";
import { definitionError, sourceError } from "../../../../../shared/model/failure.ts";
import { timecodeToFrames } from "../../../../formats/timecode.ts";
import type { VideoContext } from "../video.ts";

/** Times of forced keyframes, in ffmpeg's syntax: `1.5,3`. Numbers without a name are seconds. */
export const forcedKeyframes = (context: VideoContext): string | undefined => {
  const { forced_keyframes: requested } = context.video;
  if (requested === undefined) return undefined;
  const entries: readonly Entry[] = Array.isArray(requested) ? requested : [requested];
  const moments = entries.flatMap((entry) => momentsOf(entry, context));
  const sorted = [...new Set(moments)].sort((a, b) => a - b);
  return sorted.length > 0 ? sorted.map(toSeconds).join(",") : undefined;
};

type Moment = number | string;
type Lists = {
  readonly seconds?: readonly Moment[] | undefined;
  readonly frames?: readonly Moment[] | undefined;
  readonly timecodes?: readonly Moment[] | undefined;
};
type Entry = Moment | Lists;

const momentsOf = (entry: Entry, context: VideoContext): number[] => {
  if (typeof entry === "number") return [entry];
  if (typeof entry === "string") return [timeOf(entry, context)];
  const { seconds = [], frames = [], timecodes = [] } = entry;
  return [
    ...seconds.map((each) => numberOf(each, context)),
    ...frames.map((each) => numberOf(each, context) / toNumber(rateOf(context))),
    ...timecodes.map((each) => timeOf(String(each), context)),
  ];
};

const numberOf = (value: Moment, { path }: VideoContext): number => {
  if (Number.isFinite(Number(value))) return Number(value);
  throw definitionError(`${path}.forced_keyframes has "${value}", which is not a number`);
};

// Timecodes count from that of the source's first frame.
const timeOf = (text: string, context: VideoContext): number => {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  const rate = rateOf(context);
  const frame = timecodeToFrames(text, rate);
  const first = timecodeToFrames(context.timecode ?? "00:00:00:00", rate) ?? 0;
  if (frame !== undefined && frame >= first) return (frame - first) / toNumber(rate);
  throw definitionError(`${context.path}.forced_keyframes: "${text}" is not a timecode of the target`);
};

const rateOf = ({ rate, path }: VideoContext): Rational => {
  if (rate) return rate;
  throw sourceError(`${path}.forced_keyframes counts frames, and the source has no frame rate`);
};
