import { multiply, type Rational, ratio, toFraction, toNumber, toSeconds } from "../../shared/basics/rational.ts";
import type { Generated, MediaFacts } from "../../shared/model/asset.ts";
import { layoutOf } from "../ffmpeg/layouts.ts";
import type { Feed } from "./virtual-source.ts";

/** The facts of a generated part with this duration, or without an end: its picture is stream 0, its audio follows. */
export const factsOfGenerated = ({ video, audio }: Generated, duration: Rational | undefined): MediaFacts => {
  const common = { codec: "generated", timeBase: ratio(1, 90_000), start: ratio(0), duration };
  return {
    format: "generated",
    start: ratio(0),
    duration,
    size: 0,
    others: [],
    video: video
      ? [
          {
            ...common,
            index: 0,
            width: video.width,
            height: video.height,
            pixelFormat: video.pixelFormat ?? "yuv420p",
            pixelAspect: ratio(1),
            frameRate: video.rate,
            averageFrameRate: video.rate,
            frames: duration && framesIn(duration, video.rate),
          },
        ]
      : [],
    audio: audio.map(({ channels, sampleRate }, track) => ({
      ...common,
      index: track + 1,
      channels,
      sampleRate,
      layout: layoutOf(channels),
    })),
  };
};

/** The picture of a generated part. */
export const generatedPicture = ({ width, height, rate, color }: NonNullable<Generated["video"]>, duration: Rational) =>
  source("color", { c: color, s: `${width}x${height}`, r: toFraction(rate), d: toSeconds(duration) });

/** Silence. */
export const generatedSound = ({ channels, sampleRate }: Generated["audio"][number], duration: Rational): Feed =>
  source("anullsrc", {
    channel_layout: layoutOf(channels) ?? `${channels}c`,
    sample_rate: sampleRate,
    d: toSeconds(duration),
  });

const source = (name: string, options: Readonly<Record<string, string | number>>): Feed => ({
  streams: [],
  before: [],
  from: [],
  filters: [{ name, options }],
});

const framesIn = (duration: Rational, rate: Rational) => Math.round(toNumber(multiply(duration, rate)));
