import { type Rational, ratio, toNumber } from "../../shared/basics/rational.ts";
import type { MediaFacts, VideoFacts } from "../../shared/model/asset.ts";
import { constantRate, durationFromZero, mainVideo } from "../formats/stream-timing.ts";
import { ffprobeArgv } from "./opening-args.ts";

/**
 * Containers whose declared rate may be wrong, and transport streams, where ffprobe measures only the beginning; for
 * other containers it knows all times.
 */
const promising = /^(matroska|flv|asf|mpegts)/;

/** Packets that are read at each place. */
const perPlace = 150;

/** Whether to compare a file's declared rate with its packets, or to measure the rate if it declares none. */
export const needsSample = (facts: MediaFacts): boolean => {
  const video = mainVideo(facts);
  return promising.test(facts.format) && video !== undefined && (!video.averageFrameRate || !!constantRate(video));
};

/** ffprobe's command for some time stamps: at the start, and in long files at one and two thirds. */
export const sampleArgv = (facts: MediaFacts, path: string, isJoined = false): string[] => {
  const where = ["-select_streams", String(mainVideo(facts)?.index ?? 0), "-read_intervals", placesIn(facts)];
  return ffprobeArgv(path, isJoined, [...where, "-show_entries", "packet=pts", "-of", "csv=p=0"]);
};

const placesIn = (facts: MediaFacts): string => {
  const seconds = toNumber(durationFromZero(facts) ?? ratio(0));
  const start = Math.max(0, facts.start ? toNumber(facts.start) : 0);
  const rate = toNumber(mainVideo(facts)?.frameRate ?? ratio(25));
  // Places must not overlap, or they could not be told apart.
  if ((seconds * rate) / 3 < perPlace * 2) return `%+#${perPlace * 4}`;
  const at = [1, 2].map((third) => `${Math.floor(start + (seconds * third) / 3)}%+#${perPlace}`);
  return [`%+#${perPlace}`, ...at].join(",");
};

/** Adds the sampled rate to the facts: whether it varies, and then its average. */
export const withSample = (facts: MediaFacts, text: string): MediaFacts => {
  const main = mainVideo(facts);
  const rate = main && constantRate(main);
  if (!main) return facts;
  const step = toNumber(main.timeBase);
  const stamps = text
    .split("\n")
    .map((line) => Number(/^-?\d+/.exec(line)?.[0] ?? Number.NaN) * step)
    .filter((stamp) => !Number.isNaN(stamp));
  const found = deltasOf(stamps);
  const lasts = found.reduce((sum, each) => sum + each, 0);
  if (lasts <= 0 || (rate && !isOff(found, rate, step, main))) return facts;
  const averageFrameRate = ratio(Math.round((found.length * 1000) / lasts), 1000);
  const told = { ...main, isVariable: true as const, averageFrameRate };
  return { ...facts, video: facts.video.map((video): VideoFacts => (video === main ? told : video)) };
};

/** Seconds from frame to frame, per place. The last ones are skipped, because later pictures were not read. */
const deltasOf = (stamps: readonly number[]): number[] => {
  const size = stamps.length > perPlace * 3 ? stamps.length : perPlace;
  const count = Math.ceil(stamps.length / size);
  return Array.from({ length: count }, (_, place) => stamps.slice(place * size, (place + 1) * size)).flatMap((part) => {
    const shown = [...new Set(part)].sort((a, b) => a - b).slice(0, -8);
    return shown.slice(1).map((stamp, at) => stamp - (shown[at] ?? 0));
  });
};

/** More irregular frames than this mean a variable rate; fewer are lost frames. */
const oddShare = 0.01;

const isOff = (deltas: readonly number[], rate: Rational, step: number, { fieldOrder }: VideoFacts): boolean => {
  const frame = 1 / toNumber(rate);
  const tolerance = step * 1.5 + frame * 0.02;
  // Fields may be separate packets.
  const due = fieldOrder === undefined || fieldOrder === "progressive" ? [frame] : [frame, frame / 2];
  const odd = deltas.filter((delta) => due.every((lasts) => Math.abs(delta - lasts) > tolerance));
  return odd.length > deltas.length * oddShare;
};
