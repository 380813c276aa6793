import type { MediaFacts } from "../../asset.ts";
import { add, compare, type Rational, subtract, toNumber } from "../../rational.ts";
import type { Expectation } from "../../work.ts";
import type { AudioPlan } from "./audio/plan.ts";
import { firstInstant, type Span } from "./span.ts";
import type { VideoPlan } from "./video/plan.ts";

type Made = {
  readonly facts: MediaFacts;
  readonly span: Span;
  readonly video: VideoPlan | undefined;
  readonly audio: readonly AudioPlan[];
  readonly isImages: boolean;
  readonly isSequence: boolean;
};

/** Codecs pad and containers round: a file may be this much longer or shorter than its source. Seconds. */
const tolerance = 0.5;

/** What the agent checks before anybody sees the target. */
export const expectationOf = ({ facts, span, video, audio, isImages, isSequence }: Made): Expectation => {
  if (isImages) return { video: video?.expect, files: isSequence ? (video?.atLeast ?? 1) : undefined };
  const streams = [video?.recipe.stream, ...audio.map(({ recipe }) => recipe.stream)];
  const lasts = durationOf(facts, span, streams);
  return {
    video: video?.expect,
    audio: audio.map(({ expect }) => expect),
    duration: lasts && { seconds: Math.round(toNumber(lasts) * 1000) / 1000, tolerance },
  };
};

// A target may leave out the stream that makes the source as long as it is.
const durationOf = (facts: MediaFacts, span: Span, used: readonly (number | undefined)[]) => {
  if (!span.duration) return undefined;
  const start = firstInstant(facts);
  const ends = [...facts.video, ...facts.audio]
    .filter(({ index }) => used.includes(index))
    .map((stream) => stream.duration && subtract(add(stream.start ?? start, stream.duration), start));
  if (ends.some((end) => end === undefined)) return span.duration;
  const last = ends.reduce((a, b) => (a && b && compare(a, b) > 0 ? a : b));
  return last && smaller(span.duration, subtract(last, span.from));
};

const smaller = (a: Rational, b: Rational) => (compare(a, b) < 0 ? a : b);
