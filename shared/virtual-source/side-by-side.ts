import type { MediaFacts, ReadingRules } from "../asset.ts";
import { max, ratio } from "../rational.ts";
import { relabelled } from "./relabelled.ts";
import type { SourceInput, SourceTrack, Timing, VirtualSource } from "./virtual-source.ts";
import { mainVideo } from "./zero.ts";

/**
 * Films that play at the same time as one: the picture is that of the first one that has any, their sounds follow one
 * another. Each begins at zero; the whole lasts as long as the longest.
 */
export const sideBySide = (films: readonly VirtualSource[]): VirtualSource => {
  const [only, ...others] = films;
  if (!only) throw new Error("no film stands beside another");
  if (others.length === 0) return only;
  const placed = placeAll(films);
  const leading = films.find(({ facts }) => mainVideo(facts)) ?? only;
  const duration = longest(films);
  const reading = readingOf(films);
  return {
    inputs: placed.flatMap(({ inputs }) => inputs),
    tracks: placed.flatMap(({ tracks }) => tracks),
    facts: {
      ...{ ...leading.facts, start: ratio(0), duration },
      video: placed.flatMap(({ video }) => video),
      audio: placed.flatMap(({ audio }) => audio),
      others: films.flatMap(({ facts }) => facts.others),
    },
    timing: { ...leading.timing, duration, isWhole: films.every(({ timing }) => timing.isWhole) },
    ...(reading && { reading }),
  };
};

type Placed = Pick<MediaFacts, "video" | "audio"> & {
  readonly inputs: readonly SourceInput[];
  readonly tracks: readonly SourceTrack[];
};

/** Inputs and tracks of each film, numbered on from those before. */
const placeAll = (films: readonly VirtualSource[]): Placed[] => {
  let [inputs, tracks] = [0, 0];
  return films.map((film, number) => {
    const place = placeOne(film, { number, inputs, tracks });
    inputs += film.inputs.length;
    tracks += film.tracks.length;
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

const longest = (films: readonly VirtualSource[]): Timing["duration"] =>
  films.map(({ timing }) => timing.duration).reduce((a, b) => a && b && max(a, b));

/** What one of them tolerates or wants is tolerated and wanted of the command as a whole. */
const readingOf = (films: readonly VirtualSource[]): ReadingRules | undefined => {
  const all = films.flatMap(({ reading }) => reading ?? []);
  if (all.length === 0) return undefined;
  const most = (numbers: readonly (number | undefined)[]) => {
    const given = numbers.filter((each) => each !== undefined);
    return given.length > 0 ? Math.max(...given) : undefined;
  };
  const maxDecodeErrors = most(all.map((each) => each.maxDecodeErrors));
  const maxSequentialDecodeErrors = most(all.map((each) => each.maxSequentialDecodeErrors));
  return {
    ...Object.assign({}, ...all),
    ...(maxDecodeErrors !== undefined && { maxDecodeErrors }),
    ...(maxSequentialDecodeErrors !== undefined && { maxSequentialDecodeErrors }),
  };
};
