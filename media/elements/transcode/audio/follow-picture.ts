import {
  add,
  invert,
  type Rational,
  ratio,
  subtract,
  toNumber,
  toSeconds,
} from "../../../../shared/basics/rational.ts";
import type { MediaFacts } from "../../../../shared/model/asset.ts";
import type { Filter } from "../../../ffmpeg/filtergraph.ts";
import { mainVideo } from "../../../formats/stream-timing.ts";
import type { Extras } from "../filters/extras.ts";
import type { VideoPlan } from "../video/video.ts";
import type { AudioPlan } from "./plan.ts";

type Request = {
  /** Of the timeline that the target shows. */
  readonly facts: MediaFacts;
  readonly video: VideoPlan | undefined;
  readonly extras: Pick<Extras, "warn">;
  readonly path: string;
};

/** When the picture ends; undefined where nobody knows. */
export const pictureEnd = (facts: MediaFacts): Rational | undefined => {
  const picture = mainVideo(facts);
  return picture?.duration && add(picture.start ?? ratio(0), picture.duration);
};

/**
 * Sound as long as the picture, for containers that hold both together for each picture: silence behind what is shorter,
 * nothing behind the last picture. The muxer leaves out pictures without sound.
 */
export const followPicture = (
  audio: readonly AudioPlan[],
  { facts, video, extras, path }: Request,
): readonly AudioPlan[] => {
  const end = video && pictureEnd(facts);
  if (!end) return audio;
  const picture = video.rate ? invert(video.rate) : ratio(1, 24);
  return audio.map((plan, index) => {
    const { recipe } = plan;
    const at = `${path}.audio[${index}]`;
    const away = awayFrom(end, facts, recipe.track);
    const isAway = away !== undefined && Math.abs(away) > toNumber(picture);
    if (isAway) extras.warn(`${at}: ${words(away, recipe.filters !== undefined)}`);
    return recipe.filters
      ? { ...plan, recipe: { ...recipe, filters: [...recipe.filters, ...asLong(add(end, picture))] } }
      : plan;
  });
};

/** Seconds by which a sound ends after the picture. */
const awayFrom = (end: Rational, { audio }: MediaFacts, track: number): number | undefined => {
  const sound = audio.find(({ index }) => index === track);
  return sound?.duration && toNumber(subtract(add(sound.start ?? ratio(0), sound.duration), end));
};

const words = (away: number, isEncoded: boolean): string => {
  const length = `the sound is ${toSeconds(Math.abs(away))} s ${away < 0 ? "shorter" : "longer"} than the picture`;
  if (isEncoded)
    return `${length}, and is ${away < 0 ? "followed by silence" : "cut"}: the container holds both together`;
  return `${length}, and is copied: the container holds both together, and loses what is over. Encode it instead`;
};

// One picture more, so that rounding leaves no picture without sound.
const asLong = (end: Rational): Filter[] => [
  { name: "apad", options: { whole_dur: toSeconds(end) } },
  { name: "atrim", options: { end: toSeconds(end) } },
];
