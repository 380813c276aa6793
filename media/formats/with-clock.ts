import { type Rational, ratio, subtract, toNumber } from "../../shared/basics/rational.ts";
import type { AudioFacts, MediaFacts, VideoFacts } from "../../shared/model/asset.ts";
import type { ClockTimeline } from "./clock-timeline.ts";
import { mainVideo } from "./stream-timing.ts";

/** The streams whose stamps tell the time of a file, and the one among them whose groups of pictures count. */
export const clockedStreams = (facts: MediaFacts): { ids: number[]; picture: number | undefined } => ({
  ids: [...facts.video, ...facts.audio].flatMap(({ id }) => id ?? []),
  picture: mainVideo(facts)?.id,
});

/** The facts with what the clock showed: ffprobe guesses durations from the last stamps, whatever lies between. */
export const withClock = (
  facts: MediaFacts,
  { jumps, longestGroup, streams }: ClockTimeline,
  pictures: ReadonlyMap<number, number>,
): MediaFacts => {
  const video = facts.video.map((each) => timedVideo(each, { hasJumps: jumps > 0, streams, pictures }));
  const audio = facts.audio.map((each) => (jumps > 0 ? timed(each, streams) : each));
  const isChanged = jumps > 0 || video.some(({ duration }, at) => duration !== facts.video[at]?.duration);
  const all = [...streams.values()];
  const lasts = Math.max(...all.map(({ end }) => end)) - Math.min(...all.map(({ start }) => start));
  const duration = all.length === 0 || !isChanged || lasts <= 0 ? facts.duration : ticks(lasts);
  return {
    ...{ ...facts, duration, video, audio },
    clock: { jumps, ...(longestGroup !== undefined && { longestGroup: Math.ceil(longestGroup) }) },
  };
};

type Streams = ClockTimeline["streams"];

/** The span of a stream in the timeline. */
const timed = <T extends VideoFacts | AudioFacts>(stream: T, streams: Streams): T => {
  const found = stream.id === undefined ? undefined : streams.get(stream.id);
  return found && found.end > found.start ? { ...stream, duration: ticks(found.end - found.start) } : stream;
};

type Found = {
  readonly hasJumps: boolean;
  readonly streams: Streams;
  readonly pictures: ReadonlyMap<number, number>;
};

/** Where a clock jumps, ffprobe takes the jump for a long frame, and so the rate for a variable one. */
const timedVideo = (video: VideoFacts, { hasJumps, streams, pictures }: Found): VideoFacts => {
  const { id = -1, frameRate } = video;
  const found = timed(video, streams);
  if (!found.duration || !frameRate) return video;
  const counted = pictures.get(id);
  const units = counted ?? streams.get(id)?.units ?? 0;
  const rate = units / toNumber(found.duration);
  const fields = [1, 2].find((each) => isNear(rate / each / toNumber(frameRate), counted !== undefined));
  if (fields === undefined) return hasJumps ? found : video;
  const duration = counted ? ratio(counted * frameRate.den, frameRate.num * fields) : found.duration;
  if (hasJumps) return { ...found, duration, averageFrameRate: frameRate, isVariable: undefined };
  return isLonger(duration, video, frameRate) ? { ...found, duration } : video;
};

/** A unit of several pictures does not tell how long the last of them lasts. */
const isNear = (ratio: number, isCounted: boolean): boolean => Math.abs(ratio - 1) < (isCounted ? 0.05 : 0.005);

/** By at least half a frame. */
const isLonger = (found: Rational, { duration }: VideoFacts, rate: Rational): boolean =>
  !duration || toNumber(subtract(found, duration)) > 0.5 / toNumber(rate);

const ticks = (seconds: number): Rational => ratio(Math.round(seconds * 90_000), 90_000);
