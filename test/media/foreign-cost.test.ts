import { describe, expect, test } from "vitest";
import { readWebdavListing } from "../../agent/foreign/webdav-listing.ts";
import { createDecodeWatch } from "../../media/ffmpeg/decode-errors.ts";
import { brokeOff, diagnose } from "../../media/ffmpeg/diagnose.ts";
import { createPacketReader } from "../../media/ffmpeg/packets.ts";
import { readProbeReport } from "../../media/ffmpeg/probe-reports.ts";
import { createProgressParser } from "../../media/ffmpeg/progress.ts";
import { readManifest } from "../../media/manifests/index.ts";
import { captionLinesOf, lagOf, parseSubtitles } from "../../media/subtitles/index.ts";
import { matchesWildcard } from "../../shared/files/file-selection.ts";
import { isLong, share } from "../helpers/long.ts";
import {
  listingShapes,
  logShapes,
  manifestShapes,
  nameShapes,
  probeShapes,
  type Shape,
  subtitleShapes,
} from "./foreign-shapes.ts";

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

const count = isLong ? 20_000 : 10_000;

/** Every fifth shape in `npm test`, two in five in `.ci/run`, all with MEDIAFARM_LONG=1. */
const some = (shapes: readonly Shape[]): readonly Shape[] => share(shapes, (_, at) => at % 5 === 0, 5);

/** How many times the work of half the length the whole one takes, where it takes more than noise: 2 if it is linear. */
const growthOnce = (half: () => unknown, whole: () => unknown): number => {
  if (cpuOf(whole) <= noise) return 0;
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

const anHour = 3_600_000;

const readText = (text: string): void => {
  lagOf(text, 0);
  lagOf(text, anHour);
  parseSubtitles(text);
  captionLinesOf(text);
};

const uri = "file:///film/index";
const folder = "http://server/films/";

/** As a program's output arrives. */
const inPieces = (text: string, take: (piece: string) => unknown): void => {
  for (let at = 0; at < text.length; at += 4096) take(text.slice(at, at + 4096));
};

const readLog = (text: string): void => {
  const kept = text.slice(-16_000);
  diagnose({ args: ["-i", "a.mov"], exitCode: 1, signal: null, stderr: kept });
  brokeOff(kept, ["-i", "a.mov"]);
  const watch = createDecodeWatch({});
  inPieces(text, (piece) => watch.feed(piece, 0));
  inPieces(text, createProgressParser().feed);
  inPieces(text, createPacketReader("a.mov").feed);
};

describe("The time that a foreign file takes grows with its length", () => {
  test.each(some(subtitleShapes))("$name", (shape) => {
    expect(growth(shape, readText)).toBeLessThan(3);
  });

  test.each(some(manifestShapes))("$name", (shape) => {
    expect(growth(shape, (text) => readManifest(uri, new Map([[uri, text]])))).toBeLessThan(3);
  });

  test.each(some(probeShapes))("$name", (shape) => {
    expect(growth(shape, (json) => readProbeReport({ json, size: 1, name: "a", peek: true }))).toBeLessThan(3);
  });
});

describe("The time that a foreign server or program takes grows with what it says", () => {
  test.each(some(listingShapes))("$name", (shape) => {
    expect(growth(shape, (text) => readWebdavListing({ uri: folder, text }))).toBeLessThan(3);
  });

  test.each(some(logShapes))("$name", (shape) => {
    expect(growth(shape, readLog)).toBeLessThan(3);
  });

  test.each(some(nameShapes))("$name", (shape) => {
    expect(growth(shape, (name) => matchesWildcard(name, "*a*b*c"))).toBeLessThan(3);
  });
});

test("a log of the longest length that is kept is understood within what reading a file may take", () => {
  const texts = logShapes.map(({ of }) => of(16_000).slice(-16_000));
  for (const stderr of texts) {
    const once = cpuOf(() => diagnose({ args: ["-i", "a.mov"], exitCode: 1, signal: null, stderr }));
    expect(once).toBeLessThan(40 * noise);
  }
});
