import {
  compare,
  parseFrameRate,
  type Rational,
  ratio,
  toFraction,
  toNumber,
  toSeconds,
} from "../../../../../shared/basics/rational.ts";
import type { VideoFacts } from "../../../../../shared/model/asset.ts";
import { definitionError, sourceError } from "../../../../../shared/model/failure.ts";
import type { Filter } from "../../../../ffmpeg/filtergraph.ts";
import { constantRate } from "../../../../formats/stream-timing.ts";
import type { Timing } from "../../../../virtual-source/virtual-source.ts";
import type { VideoTarget } from "../schema.ts";

/** Which frames of the source the result has. */
export type Sampling = {
  readonly filters: readonly Filter[];
  /** Frames a second of the result; undefined where not even an average is known. */
  readonly rate: Rational | undefined;
  /** Whether the source's frames keep their own, uneven times. */
  readonly isVariable: boolean;
  /** The most and the fewest frames of the result. */
  readonly limit?: number;
  readonly atLeast?: number;
};

/** Without a rate every frame stays at its time; a rate repeats and drops frames; an image sequence picks some. */
export const samplingOf = (
  video: VideoTarget,
  source: VideoFacts,
  timing: Timing,
  path: string,
  isStill = false,
): Sampling => {
  const rate = wantedRate(video, path);
  const own = constantRate(source) ?? source.averageFrameRate ?? source.frameRate;
  const request = video.image_sequence;
  const isSparse = rate !== undefined && (!own || toNumber(rate) < toNumber(own) / 2);
  if (request?.total_number !== undefined || ((request || isStill) && isSparse))
    return picked(video, source, timing, path);
  if (request?.offset_sec !== undefined || request?.relative_offset !== undefined) {
    throw definitionError(`${path}.image_sequence has an offset, but no total_number and no low frame_rate`);
  }
  if (!rate || (timing.isRegular && constantRate(source) && own && compare(rate, own) === 0)) {
    const filters = own && timing.isRegular && isGuessed(own) ? [atRate(own)] : [];
    return { filters, rate: own, isVariable: !timing.isRegular, atLeast: frameCount(own, timing) };
  }
  return { filters: [atRate(rate)], rate, isVariable: false, atLeast: frameCount(rate, timing) };
};

const atRate = (rate: Rational): Filter => ({ name: "fps", options: { fps: toFraction(rate), start_time: "0" } });

/**
 * Encoders learn the rate from the filters. Of a source's own, ffmpeg's Matroska reader knows none with more than 30,000
 * above the line, and guesses: 19001/317 for 60000/1001, which MXF and old MPEG codecs refuse.
 */
const isGuessed = (rate: Rational): boolean => rate.num > 30_000;

const wantedRate = ({ frame_rate }: VideoTarget, path: string): Rational | undefined => {
  if (frame_rate === undefined) return undefined;
  const rate = parseFrameRate(frame_rate);
  if (!rate) throw definitionError(`${path}.frame_rate "${frame_rate}" is not a frame rate`);
  return rate;
};

// A rate filter would show each picture half an interval late, so the first frame of every interval is selected.
const picked = (video: VideoTarget, source: VideoFacts, timing: Timing, path: string): Sampling => {
  const { total_number: total, offset_sec, relative_offset } = video.image_sequence ?? {};
  const seconds = timing.duration && toNumber(timing.duration);
  const rate = wantedRate(video, path);
  if (seconds === undefined) {
    throw sourceError(`${path}.image_sequence: the source does not tell how long it is`);
  }
  const offset = offset_sec ?? (relative_offset ?? 0) * seconds;
  if (offset >= seconds) throw definitionError(`${path}.image_sequence begins after the source's end`);
  const interval = rate ? 1 / toNumber(rate) : (seconds - offset) / (total ?? 1);
  const fitting = Math.ceil((seconds - offset) / interval - 1e-6);
  const limit = Math.min(total ?? fitting, fitting);
  return {
    filters: [{ name: "select", options: { expr: everyInterval(offset - toNumber(timing.slack), interval) } }],
    rate: rate ?? ratio(1),
    isVariable: false,
    limit,
    atLeast: Math.min(limit, frameCount(source.averageFrameRate, timing) ?? limit),
  };
};

const everyInterval = (offset: number, interval: number): string => {
  const slot = (time: string) => `floor((${time}-(${toSeconds(offset)}))/${toSeconds(interval)})`;
  return `gte(t,${toSeconds(offset)})*(isnan(prev_selected_t)+gt(${slot("t")},${slot("prev_selected_t")}))`;
};

const frameCount = (rate: Rational | undefined, { duration }: Timing) =>
  rate && duration ? Math.max(1, Math.floor(toNumber(rate) * toNumber(duration)) - 1) : undefined;
