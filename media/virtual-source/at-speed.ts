import { multiply, type Rational, ratio, toFraction, toNumber } from "../../shared/basics/rational.ts";
import type { Filter } from "../ffmpeg/filtergraph.ts";
import { constantRate, mainVideo } from "../formats/stream-timing.ts";
import type { SourceTrack, VirtualSource } from "./virtual-source.ts";

type Speed = { readonly factor: number; readonly keepsPitch: boolean };

/** The timeline played faster by a factor: every picture for a shorter or longer time, the sound with it. */
export const atSpeed = (source: VirtualSource, speed: Speed): VirtualSource => {
  const { facts, timing, tracks, mixes = [] } = source;
  const video = mainVideo(facts);
  const own = video && constantRate(video);
  const rate = own && atStandardRate(toNumber(own) * speed.factor);
  // The resulting rate is exact, so the factor is derived from it.
  const slower = rate && own ? multiply(own, ratio(rate.den, rate.num)) : ratio(1e9, Math.round(speed.factor * 1e9));
  const sounds = [...facts.audio, ...mixes.map((mix) => mix.facts)];
  const sampleRates = new Map(sounds.map(({ index, sampleRate }) => [index, sampleRate]));
  const later = (time: Rational | undefined) => time && multiply(time, slower);
  const timed = <T extends { readonly start?: Rational; readonly duration?: Rational }>(stream: T): T => ({
    ...stream,
    start: later(stream.start),
    duration: later(stream.duration),
    edits: undefined,
    mediaDuration: undefined,
  });
  const filtersOf = ({ index }: SourceTrack): Filter[] => {
    const sampleRate = sampleRates.get(index);
    return sampleRate === undefined ? pictures(slower, rate) : sound(slower, sampleRate, speed.keepsPitch);
  };
  return {
    ...source,
    tracks: tracks.map((track) => ({ ...track, filters: [...track.filters, ...filtersOf(track)] })),
    facts: {
      ...facts,
      duration: later(facts.duration),
      video: facts.video.map((each) => ({
        ...timed(each),
        frameRate: rate ?? faster(each.frameRate, slower),
        averageFrameRate: rate ?? faster(each.averageFrameRate, slower),
      })),
      audio: facts.audio.map(timed),
    },
    ...(source.mixes && { mixes: mixes.map((mix) => ({ ...mix, facts: timed(mix.facts) })) }),
    timing: { ...timing, duration: later(timing.duration), slack: multiply(timing.slack, slower), isWhole: false },
  };
};

/** Common rates, used if a factor almost leads to one. */
const standard = [ratio(24_000, 1001), ratio(24), ratio(25), ratio(30_000, 1001), ratio(30), ratio(48), ratio(50)];
const more = [ratio(60_000, 1001), ratio(60), ratio(12), ratio(15), ratio(100), ratio(120)];

const atStandardRate = (rate: number): Rational =>
  [...standard, ...more].find((each) => Math.abs(toNumber(each) / rate - 1) < 1e-6) ??
  ratio(Math.round(rate * 1e6), 1e6);

const faster = (rate: Rational | undefined, slower: Rational) => rate && multiply(rate, ratio(slower.den, slower.num));

const pictures = (slower: Rational, rate: Rational | undefined): Filter[] => [
  { name: "settb", options: { expr: "1/90000" } },
  { name: "setpts", options: { expr: `PTS*${slower.num}/${slower.den}` } },
  // Aligns rounded time stamps to whole frames.
  ...(rate ? [{ name: "fps", options: { fps: toFraction(rate), start_time: "0" } }] : []),
];

const sound = (slower: Rational, sampleRate: number, keepsPitch: boolean): Filter[] => {
  const aligned = { name: "aresample", options: { async: 1, first_pts: 0 } };
  const factor = 1 / toNumber(slower);
  if (keepsPitch) return [aligned, ...tempos(factor).map((tempo) => ({ name: "atempo", options: { tempo } }))];
  return [
    aligned,
    { name: "asetrate", options: { r: Math.round(sampleRate * factor) } },
    { name: "aresample", options: { osr: sampleRate } },
  ];
};

/** The tempo filter can at most halve, and sounds best below doubling. */
export const tempos = (factor: number): string[] => {
  if (factor > 2) return [...tempos(factor / 2), "2"];
  return factor < 0.5 ? [...tempos(factor * 2), "0.5"] : [factor.toFixed(9).replace(/0+$/, "")];
};
