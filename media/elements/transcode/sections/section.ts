import { add, max, type Rational, ratio, subtract, toNumber, toSeconds } from "../../../../shared/basics/rational.ts";
import type { Options } from "../../../ffmpeg/args.ts";
import type { Filter } from "../../../ffmpeg/filtergraph.ts";
import { seekMargin } from "../../../virtual-source/excerpt.ts";
import type { SourceInput, VirtualSource } from "../../../virtual-source/virtual-source.ts";
import type { StreamRecipe, TargetRecipe, Timeline } from "../recipe.ts";
import { carrierOf } from "./carriers.ts";
import type { Grid, Section } from "./cuts.ts";

/** A target whose pictures are encoded in sections, and where it may be cut. */
export type CutTarget = TargetRecipe & { readonly video: StreamRecipe; readonly rate: Rational };

/** Key frames of a section come where the whole target would have them. */
export const gridOf = ({ rate, video: { options } }: CutTarget): Grid => {
  return { rate, frames: typeof options.g === "number" ? options.g : 1, seconds: everySeconds(options) };
};

/** The pictures of one section of these targets; their time stamps stay those of the whole until they are written. */
export const sectionOf = (
  source: VirtualSource,
  targets: readonly CutTarget[],
  section: Section,
  nameOf: (target: CutTarget) => string,
): Timeline => {
  const { duration } = source.timing;
  const end = section.to ?? duration;
  return {
    source: {
      ...source,
      inputs: source.inputs.map((input) => readFrom(input, section.from)),
      timing: {
        ...{ ...source.timing, isWhole: false, begin: section.from },
        ...(end && { duration: subtract(end, section.from) }),
      },
    },
    targets: targets.map((target) => partOf(target, section, end, nameOf(target))),
  };
};

/** Early enough that every picture of the section is decoded and its neighbours are known. */
const readFrom = (input: SourceInput, from: Rational): SourceInput => {
  const second = Math.floor(toNumber(add(subtract(input.origin, input.start), from))) - (seekMargin(input) + 1);
  return second > toNumber(input.seek ?? ratio(0)) ? { ...input, seek: ratio(second) } : input;
};

const partOf = (target: CutTarget, section: Section, end: Rational | undefined, name: string): TargetRecipe => {
  const { uid, folder, temp, object, passes, rate, video, expect } = target;
  const seconds = end && toNumber(subtract(end, section.from));
  return {
    ...{ uid, folder, name, passes, audio: [], metadata: {}, isSequence: false, existing: "replace" },
    ...{ temp, object },
    muxer: carrierOf(video) ?? "mov",
    options: {
      video_track_timescale: rate.num * Math.ceil(10_000 / rate.num),
      output_ts_offset: section.from.num > 0 ? `-${toSeconds(section.from)}` : undefined,
    },
    video: {
      ...{ track: video.track, metadata: {} },
      filters: [...(video.filters ?? []).map((filter) => begun(filter, section.from, rate)), within(section, rate)],
      options: optionsOf(video.options, section),
    },
    expect: {
      video: expect?.video && { ...expect.video, frames: undefined },
      ...(seconds !== undefined && { duration: { seconds: Math.round(seconds * 1000) / 1000, tolerance: 0.5 } }),
    },
  };
};

/** A rate filter that begins at zero would fill the time before the section. */
const begun = (filter: Filter, from: Rational, rate: Rational): Filter => {
  if (filter.name !== "fps") return filter;
  const early = max(ratio(0), subtract(from, ratio(Math.ceil(toNumber(rate)) * rate.den, rate.num)));
  return { ...filter, options: { ...filter.options, start_time: toSeconds(early) } };
};

/** The limits lie between two frames. */
const within = ({ from, to }: Section, rate: Rational): Filter => {
  const sooner = (time: Rational) => toSeconds(subtract(time, ratio(rate.den, rate.num * 4)));
  return { name: "trim", options: { start: sooner(from), end: to && sooner(to) } };
};

const optionsOf = (options: Options, section: Section): Options => ({
  ...options,
  force_key_frames: keysOf(options, section),
  ...(options.c === "libx264" && { "x264-params": joined(options["x264-params"], "stitchable=1") }),
});

const joined = (words: Options[string], more: string): string =>
  typeof words === "string" ? `${words}:${more}` : more;

/** An expression counts its time and the forced key frames from the section's first picture; a list of times does not. */
const keysOf = (options: Options, { from, to }: Section): string | undefined => {
  const every = everySeconds(options);
  if (every !== undefined) {
    const earlier = Math.floor(toNumber(from) / every + 1e-6);
    return `expr:gte(t,(n_forced+${earlier})*${every}-${toSeconds(toNumber(from) + 1e-6)})`;
  }
  if (typeof options.force_key_frames !== "string") return undefined;
  const within = (time: number) => time >= toNumber(from) && (to === undefined || time < toNumber(to));
  const times = options.force_key_frames.split(",").filter((time) => within(Number(time)));
  return times.length > 0 ? times.join(",") : undefined;
};

const everySeconds = ({ force_key_frames: forced }: Options): number | undefined => {
  const [, seconds] = /^expr:gte\(t,n_forced\*([\d.]+)\)$/.exec(String(forced)) ?? [];
  return seconds === undefined ? undefined : Number(seconds);
};
