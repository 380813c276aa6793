import { describe, expect, test } from "vitest";
import {
  asShown,
  constantRate,
  durationFromZero,
  partialStarts,
  zeroOf,
} from "../../../media/formats/stream-timing.ts";
import { buildFileSource } from "../../../media/virtual-source/file-source.ts";
import { onSampleGrid } from "../../../media/virtual-source/sample-grid.ts";
import { type Rational, ratio, toFraction } from "../../../shared/basics/rational.ts";
import type { AudioFacts, MediaFacts } from "../../../shared/model/asset.ts";

const pal = ratio(25);
const aPicture = { index: 0, codec: "h264", timeBase: ratio(1, 90000), width: 16, height: 16, frameRate: pal };
const aSound: AudioFacts = { index: 1, codec: "aac", timeBase: ratio(1, 48000), channels: 2, sampleRate: 48_000 };

const aCue = { index: 2, kind: "data", codec: "scte_35", timeBase: ratio(1, 90_000), start: ratio(1) };

const aFile = (start: Rational, pictureStart?: Rational, more: Partial<MediaFacts> = {}): MediaFacts => ({
  ...{ format: "mpegts", size: 1, start, duration: ratio(10), audio: [{ ...aSound, start }], others: [] },
  video: pictureStart ? [{ ...aPicture, averageFrameRate: pal, start: pictureStart }] : [],
  ...more,
});

describe("zero of a file is", () => {
  test.each([
    ["its first picture, where sound leads by priming", aFile(ratio(7, 5), ratio(533, 375)), "533/375"],
    ["its first picture, where that comes first", aFile(ratio(1), ratio(1)), "1"],
    ["its first sound, where that leads by more", aFile(ratio(1), ratio(3, 2)), "1"],
    ["never before zero, where priming leads", aFile(ratio(-21, 1000), ratio(0), { format: "mov" }), "0"],
    ["before zero, where its clock is about to start again", aFile(ratio(-2), ratio(-2)), "-2"],
    [
      "its first picture, where data for programs leads",
      aFile(ratio(1), ratio(3, 2), { audio: [], others: [aCue] }),
      "3/2",
    ],
    ["its first sound, where there is no picture", aFile(ratio(1, 2)), "1/2"],
  ])("%s", (_name, file, expected) => {
    expect(toFraction(zeroOf(file))).toBe(expected);
  });
});

describe("an edit list that begins within a picture", () => {
  const edits = (...times: Rational[]) => times.map((mediaTime) => ({ mediaTime, duration: ratio(1) }));
  const shown = (...times: Rational[]) => ({ ...aPicture, averageFrameRate: pal, edits: edits(...times) });

  test("shows pictures later than ffmpeg tells, by the time to the next one", () => {
    const video = { ...shown(ratio(3, 100)), start: ratio(0), duration: ratio(1) };
    expect(asShown(video)).toEqual({ ...video, start: ratio(1, 100), duration: ratio(99, 100) });
    const file = aFile(ratio(0), undefined, { format: "mov,mp4", video: [video] });
    expect(toFraction(zeroOf(file))).toBe("1/100");
    const { tracks, facts } = buildFileSource({ uri: "file:///a.mp4", facts: file }, "s");
    expect(tracks[0]?.filters.map(({ name, options }) => [name, options])).toEqual([
      ["setpts", { expr: "PTS+round(1/100/TB)" }],
      ["trim", { start: "-0.01" }],
      ["fps", { fps: "25" }],
    ]);
    expect([facts.video[0]?.start, facts.video[0]?.duration]).toEqual([ratio(0), ratio(99, 100)]);
  });

  test.each([
    ["with a whole picture", [ratio(2, 25)], ["0"]],
    ["a tick beside one", [ratio(10_239, 128_000)], ["0"]],
    ["in two parts", [ratio(1, 50), ratio(1)], ["1/50", "0"]],
  ])("begins %s", (_name, times, expected) => {
    const video = shown(...times);
    expect(partialStarts(video).map(toFraction)).toEqual(expected);
    expect(asShown(video)).toBe(video);
  });
});

test("a file lasts from zero to its end, whatever its container counts from", () => {
  const lasts = (file: MediaFacts) => toFraction(durationFromZero(file) ?? ratio(-1));
  expect(lasts(aFile(ratio(1), ratio(21, 20)))).toBe("199/20");
  expect(lasts(aFile(ratio(-1, 2), ratio(0), { format: "mov" }))).toBe("19/2");
  expect(lasts(aFile(ratio(-1, 2), ratio(-1, 2)))).toBe("10");
  expect(lasts(aFile(ratio(1), ratio(1), { format: "matroska,webm" }))).toBe("9");
  expect(lasts(aFile(ratio(0), ratio(0), { format: "h264" }))).toBe("-1");
});

test("a rate is constant where the container's word and its average agree, or its clock ticks in frames", () => {
  expect(constantRate({ ...aPicture, averageFrameRate: ratio(2501, 100) })).toEqual(pal);
  expect(constantRate({ ...aPicture, averageFrameRate: ratio(24) })).toBeUndefined();
  expect(constantRate(aPicture)).toBeUndefined();
  expect(constantRate({ ...aPicture, timeBase: ratio(1, 25) })).toEqual(pal);
});

test("a film's facts begin at zero and end with it, its timecode with its first frame", () => {
  const file = aFile(ratio(1), ratio(1), {
    timecode: "10:00:00:00",
    sections: [
      { from: ratio(0), to: ratio(4) },
      { from: ratio(4), to: ratio(10) },
    ],
  });
  const { facts, timing } = buildFileSource(
    { uri: "file:///a.ts", facts: file, range: { from: ratio(3), to: ratio(5) } },
    "s",
  );
  expect([facts.start, facts.duration, facts.timecode, timing.isWhole]).toEqual([
    ratio(0),
    ratio(2),
    "10:00:03:00",
    false,
  ]);
  expect([facts.video[0]?.start, facts.audio[0]?.duration]).toEqual([ratio(0), ratio(2)]);
  expect(facts.sections).toEqual([
    { from: ratio(0), to: ratio(1) },
    { from: ratio(1), to: ratio(2) },
  ]);
});

describe("samples are counted", () => {
  const inMilliseconds: AudioFacts = { ...aSound, timeBase: ratio(1, 1000), start: ratio(-21, 1000), priming: 1024 };

  test("only where the container counts more coarsely than sound does", () => {
    expect(onSampleGrid(aSound, { origin: ratio(1) })).toEqual([]);
    expect(onSampleGrid(inMilliseconds, { origin: ratio(1) })).toHaveLength(1);
  });

  test("from the nearest block since the track's true start, where reading begins in the middle", () => {
    const [filter] = onSampleGrid(inMilliseconds, { seek: ratio(4), origin: ratio(6) });
    // The first block is stamped -21 ms and meant to begin 1024 samples before zero, which is six seconds earlier.
    expect(filter?.options?.expr).toContain("round((PTS-(-289008))/NB_SAMPLES)*NB_SAMPLES+(-289024)");
  });

  test("from the first stamp, where blocks lie on no grid", () => {
    const [filter] = onSampleGrid({ ...inMilliseconds, codec: "vorbis" }, { seek: ratio(4), origin: ratio(6) });
    expect(filter?.options?.expr).not.toContain("NB_SAMPLES");
  });
});
