import { add, max, min, type Rational, ratio, toNumber } from "../../rational.ts";
import type { VirtualSource } from "../../virtual-source/virtual-source.ts";
import type { Expectation } from "../../work.ts";
import type { AudioPlan } from "./audio/plan.ts";
import type { VideoPlan } from "./video/plan.ts";

type Made = {
  readonly source: VirtualSource;
  readonly video: VideoPlan | undefined;
  readonly audio: readonly AudioPlan[];
  readonly isImages: boolean;
  readonly isSequence: boolean;
};

/** Codecs pad and containers round: a file may be this much longer or shorter than its source. Seconds. */
const tolerance = 0.5;

/** What the agent checks before anybody sees the target. */
export const expectationOf = ({ source, video, audio, isImages, isSequence }: Made): Expectation => {
  if (isImages) return { video: video?.expect, files: isSequence ? (video?.atLeast ?? 1) : undefined };
  const tracks = [video?.recipe.track, ...audio.map(({ recipe }) => recipe.track)];
  const lasts = durationOf(source, tracks);
  return {
    video: video?.expect,
    audio: audio.map(({ expect }) => expect),
    duration: lasts && { seconds: Math.round(toNumber(lasts) * 1000) / 1000, tolerance },
  };
};

// A target may leave out the stream that makes the source as long as it is.
const durationOf = ({ facts, timing }: VirtualSource, used: readonly (number | undefined)[]): Rational | undefined => {
  if (!timing.duration) return undefined;
  const ends = [...facts.video, ...facts.audio]
    .filter(({ index }) => used.includes(index))
    .map(({ start, duration }) => duration && add(start ?? ratio(0), duration));
  if (ends.some((end) => end === undefined)) return timing.duration;
  const last = ends.reduce((a, b) => (a && b ? max(a, b) : undefined));
  return last && min(timing.duration, last);
};
