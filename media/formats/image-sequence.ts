import { invert, multiply, ratio } from "../../shared/basics/rational.ts";
import type { ImageSequence, MediaFacts } from "../../shared/model/asset.ts";

/** Maps a number to the name that ffmpeg would print for a pattern like `img_%04d.png`. */
export const numbersOf = (pattern: string, names: readonly string[]): Map<number, string> => {
  const [, before = "", width = "", after = ""] = /^([^%]*)%(0\d{1,2})?d([^%]*)$/.exec(pattern) ?? [];
  const digits = Number(width);
  return new Map(
    names.flatMap((name) => {
      if (!name.startsWith(before) || !name.endsWith(after)) return [];
      const text = name.slice(before.length, name.length - after.length);
      if (!/^\d{1,9}$/.test(text)) return [];
      const number = Number(text);
      return String(number).padStart(digits, "0") === text ? [[number, name] as const] : [];
    }),
  );
};

/** The facts of numbered pictures, from the facts of the first one. */
export const factsOfImages = (first: MediaFacts, { rate, count = 1 }: ImageSequence, size: number): MediaFacts => {
  const duration = multiply(ratio(count), invert(rate));
  return {
    format: "image2",
    start: ratio(0),
    duration,
    size,
    audio: [],
    others: [],
    video: first.video.slice(0, 1).map((video) => ({
      ...video,
      index: 0,
      timeBase: invert(rate),
      start: ratio(0),
      duration,
      frames: count,
      isCover: undefined,
      frameRate: rate,
      averageFrameRate: rate,
    })),
  };
};
