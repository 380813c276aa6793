import { describe, expect, test } from "vitest";
import { readManifest } from "../../media/manifests/index.ts";
import { captionLinesOf, lagOf, parseSubtitles } from "../../media/subtitles/index.ts";
import { manifestShapes, type Shape, subtitleShapes } from "./foreign-shapes.ts";

/** Milliseconds of this process's time that the work takes; refusing is an answer as well. */
const cpuOf = (work: () => unknown): number => {
  const before = process.cpuUsage();
  try {
    work();
  } catch {
    // a refusal
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};

const leastOf = (work: () => unknown): number => Math.min(...[0, 1, 2].map(() => cpuOf(work)));

/** So much of this machine's time counts as nothing: what collecting garbage takes. */
const noise = leastOf(() => {
  const parts = Array.from({ length: 300_000 }, (_, index) => `${index}:00`.replace(/(\d+):/, "$1"));
  return parts.join("").split("0");
});

const count = 20_000;

/** How many times the work of half the length the whole one takes, where it takes more than noise: 2 if it is linear. */
const growthOnce = (half: () => unknown, whole: () => unknown): number => {
  const most = leastOf(whole);
  return most <= noise ? 0 : most / Math.max(noise / 4, leastOf(half));
};

/** The smallest of several: what is not linear is so each time. */
const growth = (shape: Shape, work: (text: string) => unknown): number => {
  const [half, whole] = [shape.of(count), shape.of(2 * count)];
  let least = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < 3 && least >= 3; turn += 1) {
    least = Math.min(
      least,
      growthOnce(
        () => work(half),
        () => work(whole),
      ),
    );
  }
  return least;
};

const readText = (text: string): void => {
  lagOf(text, 0);
  parseSubtitles(text);
  captionLinesOf(text);
};

const uri = "file:///film/index";

describe("The time that a foreign file takes grows with its length", () => {
  test.each(subtitleShapes)("$name", (shape) => {
    expect(growth(shape, readText)).toBeLessThan(3);
  });

  test.each(manifestShapes)("$name", (shape) => {
    expect(growth(shape, (text) => readManifest(uri, new Map([[uri, text]])))).toBeLessThan(3);
  });
});
