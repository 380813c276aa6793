import { compare, max, multiply, type Rational, ratio, round } from "../../shared/basics/rational.ts";
import type { AudioFacts } from "../../shared/model/asset.ts";
import { capabilityError } from "../../shared/model/failure.ts";
import type { Filter } from "../ffmpeg/filtergraph.ts";
import { channelNamesOf, layoutOf } from "../ffmpeg/layouts.ts";
import { generatedSound } from "./generated.ts";
import type { Feed } from "./virtual-source.ts";

/** A stream, or one channel of it. */
type SoundSource = { readonly feed: Feed; readonly facts: AudioFacts; readonly channel?: number };
type Mixed = { readonly feed: Feed; readonly facts: AudioFacts };

export type MixRequest = {
  /** Unique among the audio tracks of the timeline. */
  readonly label: string;
  readonly duration: Rational | undefined;
  readonly what: string;
};

/** One audio track: a stream as it is, or channels from one or several streams, in order. */
export const mixedSound = (sources: readonly SoundSource[], request: MixRequest): Mixed => {
  const [first, ...others] = sources;
  if (!first) return silence(request);
  if (others.length === 0 && first.channel === undefined) return first;
  const channels = sources.length;
  const layout = layoutOf(channels);
  if (!layout) throw capabilityError(`${request.what}: no layout for ${channels} channels`);
  const facts = { ...first.facts, channels, layout };
  const isOneStream = others.every(
    ({ facts: { index }, feed }) => index === first.facts.index && feed.from[0] === first.feed.from[0],
  );
  return { feed: isOneStream ? picked(sources, first, layout) : joined(sources, first, layout, request), facts };
};

const silence = ({ duration }: MixRequest): Mixed => {
  const shape = { channels: 2, sampleRate: 48_000 };
  const facts = {
    ...shape,
    index: -1,
    codec: "generated",
    layout: "stereo",
    timeBase: ratio(1, 48_000),
    start: ratio(0),
    duration,
  };
  return { feed: generatedSound(shape, duration ?? ratio(0)), facts };
};

const picked = (sources: readonly SoundSource[], { feed }: SoundSource, layout: string): Feed => {
  const channels = sources.map(({ channel = 0 }, index) => `c${index}=c${channel}`);
  return { ...feed, filters: [...feed.filters, pan(layout, channels)] };
};

/**
 * Each begins at zero, has no gap and lasts as long as the longest, so parallel sound stays in sync and whole. The filter
 * `join` is not used: in ffmpeg 7.0 it drops the last block of sound. Each becomes a channel of its own name, because
 * `amerge` orders channels by name.
 */
const joined = (sources: readonly SoundSource[], first: SoundSource, layout: string, { label }: MixRequest): Feed => {
  const rate = first.facts.sampleRate;
  const labels = sources.map((_, index) => `${label}_${index}`);
  const names = channelNamesOf(layout);
  const longest = lengthOf(sources);
  const own = sources.map(({ feed, facts, channel = 0 }, index) => ({
    from: feed.from,
    filters: [
      ...feed.filters,
      { name: "aresample", options: { async: 1, first_pts: 0, osr: rate } },
      ...paddedTo(longest, rate, facts),
      pan(names[index] ?? "mono", [`c0=c${channel}`]),
    ],
    to: [labels[index] ?? ""],
  }));
  return {
    streams: sources.flatMap(({ feed }) => feed.streams),
    before: [...sources.flatMap(({ feed }) => feed.before), ...own],
    from: labels,
    filters: [{ name: "amerge", options: { inputs: sources.length } }],
  };
};

const lengthOf = (sources: readonly SoundSource[]): Rational | undefined =>
  sources.map(({ facts }) => facts.duration).reduce((a, b) => a && b && max(a, b));

const paddedTo = (length: Rational | undefined, rate: number, { duration }: AudioFacts): Filter[] =>
  length && duration && compare(duration, length) < 0
    ? [{ name: "apad", options: { whole_len: round(multiply(length, ratio(rate))) } }]
    : [];

const pan = (layout: string, channels: readonly string[]): Filter => ({
  name: "pan",
  options: { args: [layout, ...channels].join("|") },
});
