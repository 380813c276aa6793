import type { MediaFacts, VideoFacts } from "../asset.ts";
import { type Rational, ratio, toNumber } from "../rational.ts";
import { constantRate, durationFromZero, mainVideo } from "../virtual-source/zero.ts";
import { openingArgs } from "./opening.ts";

/**
 * Containers whose header promises a rate that nothing holds them to, and transport streams, of which ffprobe measures
 * the beginning alone; it knows all times of the others.
 */
const promising = /^(matroska|flv|asf|mpegts)/;

/** Packets that are read at each place. */
const perPlace = 150;

/** Whether the rate that a file promises is to be compared with what it has, or found where it promises none. */
export const needsSample = (facts: MediaFacts): boolean => {
  const video = mainVideo(facts);
  return promising.test(facts.format) && video !== undefined && (!video.averageFrameRate || !!constantRate(video));
};

/** ffprobe's command for the stamps of some packets: the first ones, and those at a third and two thirds of long files. */
export const sampleArgv = (facts: MediaFacts, path: string, isJoined = false): string[] => [
  "-v",
  "error",
  ...openingArgs({ name: path, isJoined }),
  "-select_streams",
  String(mainVideo(facts)?.index ?? 0),
  "-read_intervals",
  placesIn(facts),
  "-show_entries",
  "packet=pts",
  "-of",
  "csv=p=0",
  "-i",
  path,
];

const placesIn = (facts: MediaFacts): string => {
  const seconds = toNumber(durationFromZero(facts) ?? ratio(0));
  const start = Math.max(0, facts.start ? toNumber(facts.start) : 0);
  const rate = toNumber(mainVideo(facts)?.frameRate ?? ratio(25));
  // Places must not overlap, or one could not be told from the next.
  if ((seconds * rate) / 3 < perPlace * 2) return `%+#${perPlace * 4}`;
  const at = [1, 2].map((third) => `${Math.floor(start + (seconds * third) / 3)}%+#${perPlace}`);
  return [`%+#${perPlace}`, ...at].join(",");
};

/** The facts with what the sample says of the rate: whether it varies, and then what it is on average. */
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

/** Seconds from frame to frame, at each place apart. The last ones wait for pictures that were not read. */
const deltasOf = (stamps: readonly number[]): number[] => {
  const size = stamps.length > perPlace * 3 ? stamps.length : perPlace;
  const count = Math.ceil(stamps.length / size);
  return Array.from({ length: count }, (_, place) => stamps.slice(place * size, (place + 1) * size)).flatMap((part) => {
    const shown = [...new Set(part)].sort((a, b) => a - b).slice(0, -8);
    return shown.slice(1).map((stamp, at) => stamp - (shown[at] ?? 0));
  });
};

/** More than these are odd where a rate varies; fewer are frames that were lost. */
const oddShare = 0.01;

const isOff = (deltas: readonly number[], rate: Rational, step: number, { fieldOrder }: VideoFacts): boolean => {
  const frame = 1 / toNumber(rate);
  const tolerance = step * 1.5 + frame * 0.02;
  // Fields may be packets of their own.
  const due = fieldOrder === undefined || fieldOrder === "progressive" ? [frame] : [frame, frame / 2];
  const odd = deltas.filter((delta) => due.every((lasts) => Math.abs(delta - lasts) > tolerance));
  return odd.length > deltas.length * oddShare;
};
