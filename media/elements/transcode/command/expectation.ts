import { add, max, min, type Rational, ratio, toNumber } from "../../../../shared/basics/rational.ts";
import type { Expectation } from "../../../../shared/work/work.ts";
import { hasClock } from "../../../formats/stream-timing.ts";
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
  readonly target: Pick<Target, "video" | "audio" | "timecode" | "container">;
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
  const together = container.isInterleavedByPicture && video ? pictureEnd(source.facts) : undefined;
  const lasts = container.isTimeless ? undefined : (together ?? durationOf(source, made));
  return {
    video: picture && { ...picture, ...framesOf(made) },
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

/** How many pictures the target has of its source, where each lasts equally long and nothing changes their speed. */
const framesOf = ({ source: { facts }, video, target, container }: Made) => {
  const end = pictureEnd(facts);
  const { filters, auto_speed_change_delta_percent: fitted } = target.container ?? {};
  const isAsFast = (filters ?? []).length === 0 && fitted === undefined;
  if (!video?.counts || !video.rate || !end || !isAsFast || container.isTimeless) return {};
  // Streams on air may have holes where pictures were lost, which stay.
  if (video.counts === "kept" && hasClock(facts)) return {};
  const count = Math.round(toNumber(end) * toNumber(video.rate));
  return count > 0 ? { frames: { count, tolerance: 2 + Math.floor(count / 500) } } : {};
};

// A target may leave out the stream that makes the source as long as it is, and filters may give a sound another length.
const durationOf = (
  { facts, timing: { duration: whole } }: VirtualSource,
  { video, audio }: Pick<Made, "video" | "audio">,
): Rational | undefined => {
  if (!whole || video?.isLonger) return undefined;
  const own = audio.flatMap(({ lasts }) => lasts ?? []);
  const kept = [video?.recipe.track, ...audio.filter(({ lasts }) => !lasts).map(({ recipe }) => recipe.track)];
  const ends = [...facts.video, ...facts.audio]
    .filter(({ index }) => kept.includes(index))
    .map(({ start, duration }) => (duration ? min(whole, add(start ?? ratio(0), duration)) : whole));
  const all = [...ends, ...own];
  return all.length === 0 ? whole : all.reduce((a, b) => max(a, b));
};
