import { max, ratio } from "../../shared/basics/rational.ts";
import type { MediaFacts, ReadingRules } from "../../shared/model/asset.ts";
import { mainVideo } from "../formats/stream-timing.ts";
import { relabelled } from "./relabel.ts";
import type { SourceInput, SourceTrack, Timing, VirtualSource } from "./virtual-source.ts";

/**
 * Parallel timelines as one: the picture comes from the first one that has any, their audio tracks follow one another.
 * Each begins at zero; the whole lasts as long as the longest.
 */
export const sideBySide = (timelines: readonly VirtualSource[]): VirtualSource => {
  const [only, ...others] = timelines;
  if (!only) throw new Error("there is no timeline to merge");
  if (others.length === 0) return only;
  const placed = placeAll(timelines);
  const leading = timelines.find(({ facts }) => mainVideo(facts)) ?? only;
  const duration = longest(timelines);
  const reading = readingOf(timelines);
  return {
    inputs: placed.flatMap(({ inputs }) => inputs),
    tracks: placed.flatMap(({ tracks }) => tracks),
    facts: {
      ...leading.facts,
      start: ratio(0),
      duration,
      video: placed.flatMap(({ video }) => video),
      audio: placed.flatMap(({ audio }) => audio),
      others: timelines.flatMap(({ facts }) => facts.others),
    },
    timing: { ...leading.timing, duration, isWhole: timelines.every(({ timing }) => timing.isWhole) },
    ...(reading && { reading }),
  };
};

type Placed = Pick<MediaFacts, "video" | "audio"> & {
  readonly inputs: readonly SourceInput[];
  readonly tracks: readonly SourceTrack[];
};

/** Inputs and tracks of each timeline, numbered after those before. */
const placeAll = (timelines: readonly VirtualSource[]): Placed[] => {
  let [inputs, tracks] = [0, 0];
  return timelines.map((timeline, number) => {
    const place = placeOne(timeline, { number, inputs, tracks });
    inputs += timeline.inputs.length;
    tracks += timeline.tracks.length;
    return place;
  });
};

type Before = { readonly number: number; readonly inputs: number; readonly tracks: number };

const placeOne = ({ inputs, tracks, facts }: VirtualSource, before: Before): Placed => {
  const numbers = new Map(tracks.map(({ index }, at) => [index, before.tracks + at]));
  const renumbered = <T extends { readonly index: number }>(stream: T): T => ({
    ...stream,
    index: numbers.get(stream.index) ?? stream.index,
  });
  const names = { prefix: `f${before.number}_`, inputs: before.inputs };
  return {
    inputs,
    tracks: tracks.map((track) => ({ ...renumbered(track), ...relabelled(track, names) })),
    video: facts.video.map(renumbered),
    audio: facts.audio.map(renumbered),
  };
};

const longest = (timelines: readonly VirtualSource[]): Timing["duration"] =>
  timelines.map(({ timing }) => timing.duration).reduce((a, b) => a && b && max(a, b));

/** Tolerances and options of one of them apply to the whole command. */
const readingOf = (timelines: readonly VirtualSource[]): ReadingRules | undefined => {
  const all = timelines.flatMap(({ reading }) => reading ?? []);
  if (all.length === 0) return undefined;
  const most = (numbers: readonly (number | undefined)[]) => {
    const given = numbers.filter((each) => each !== undefined);
    return given.length > 0 ? Math.max(...given) : undefined;
  };
  return Object.assign({}, ...all, {
    maxDecodeErrors: most(all.map((each) => each.maxDecodeErrors)),
    maxSequentialDecodeErrors: most(all.map((each) => each.maxSequentialDecodeErrors)),
  });
};
