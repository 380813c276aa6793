import { add, max, min, type Rational, ratio, toNumber } from "../../../../shared/basics/rational.ts";
import type { Expectation } from "../../../../shared/work/work.ts";
import type { VirtualSource } from "../../../virtual-source/virtual-source.ts";
import { pictureEnd } from "../audio/follow-picture.ts";
import type { AudioPlan } from "../audio/plan.ts";
import type { Container } from "../containers/container.ts";
import type { Target } from "../target-schema.ts";
import type { VideoPlan } from "../video/video.ts";

type Made = {
  readonly source: VirtualSource;
  readonly video: VideoPlan | undefined;
  readonly audio: readonly AudioPlan[];
  readonly texts: number;
  readonly target: Pick<Target, "video" | "audio" | "timecode">;
  readonly timecode: string | undefined;
  readonly container: Pick<
    Container,
    "isInterleavedByPicture" | "isImages" | "isTimeless" | "isBare" | "isPackage" | "isSegments"
  >;
  readonly isSequence: boolean;
};

/** Codecs pad and containers round: a file may be this much longer or shorter than its source. Seconds. */
const tolerance = 0.5;
/** Where every picture has its sound, only rates round: two pictures of the slowest. Seconds. */
const toleranceByPicture = 0.1;

/** What the agent checks before anybody sees the target; without the parts that the job excludes. */
export const buildExpectation = (made: Made): Expectation | undefined => {
  const { source, target, video, audio, texts, container, isSequence, timecode } = made;
  if (container.isBare) return undefined;
  // The manifest says how long the whole is; the agent looks at the first of its files.
  if (container.isPackage) return { files: 2 };
  if (container.isSegments) return { files: 1 };
  const picture = target.video?.verify === false ? undefined : video?.expect;
  if (container.isImages) return { video: picture, files: isSequence ? (video?.atLeast ?? 1) : undefined };
  const tracks = [video?.recipe.track, ...audio.map(({ recipe }) => recipe.track)];
  const together = container.isInterleavedByPicture && video ? pictureEnd(source.facts) : undefined;
  const lasts = container.isTimeless ? undefined : (together ?? durationOf(source, tracks));
  return {
    video: picture,
    // Tracks are known only by their place, so one that is not to be verified leaves out all of them.
    audio: target.audio?.some(({ verify }) => !verify) ? undefined : audio.map(({ expect }) => expect),
    ...(texts > 0 && { subtitles: texts }),
    timecode: target.timecode?.[0]?.verify ? timecode : undefined,
    duration: lasts && {
      seconds: Math.round(toNumber(lasts) * 1000) / 1000,
      tolerance: together ? toleranceByPicture : tolerance,
    },
  };
};

// A target may leave out the stream that makes the source as long as it is.
const durationOf = ({ facts, timing }: VirtualSource, used: readonly (number | undefined)[]): Rational | undefined => {
  if (!timing.duration) return undefined;
  const ends = [...facts.video, ...facts.audio]
    .filter(({ index }) => used.includes(index))
    .map(({ start, duration }) => duration && add(start ?? ratio(0), duration));
  if (ends.length === 0 || ends.some((end) => end === undefined)) return timing.duration;
  const last = ends.reduce((a, b) => (a && b ? max(a, b) : undefined));
  return last && min(timing.duration, last);
};
