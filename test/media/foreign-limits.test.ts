import { expect, test } from "vitest";
import { readManifest } from "../../media/manifests/index.ts";
import { type Cue, cutCues, TooMuchText } from "../../media/subtitles/cue.ts";
import { segmentedWebvtt } from "../../media/subtitles/segments.ts";
import { parseTtml } from "../../media/subtitles/ttml/read.ts";
import { printWebvtt } from "../../media/subtitles/webvtt/print.ts";
import { manifestShapes } from "./foreign-shapes.ts";

const uri = "file:///film/index";
const cue = (from: number, to: number): Cue => ({ from, to, lines: [[{ text: "a" }]] });

test.each([
  ["dash: sets of one period", "more than 64 tracks side by side"],
  ["dash: periods", "more than 1000 parts"],
  ["dash: endless timelines", "more than 1000 parts"],
  ["dash: long timelines", "more than 200000 segments in all its tracks"],
  ["hls: segments", "more than 20000 segments"],
  ["hls: discontinuities", "more than 1000 parts"],
])("%s: refused as the file itself, so that no node tries it again", (name, message) => {
  const text = manifestShapes.find((shape) => shape.name === name)?.of(30_000) ?? "";
  expect(() => readManifest(uri, new Map([[uri, text]]))).toThrow(
    expect.objectContaining({
      message: expect.stringContaining(message),
      failure: expect.objectContaining({ cause: "file" }),
    }),
  );
});

test.each([
  ["too many elements", "<a/>".repeat(200_000), "more than 200000 elements"],
  ["elements too deep", "<a>".repeat(100), "more than 64 deep"],
])("XML with %s is refused as too much", (_, body, message) => {
  expect(() => parseTtml(`<tt>${body}`)).toThrow(TooMuchText);
  expect(() => readManifest(uri, new Map([[uri, `<MPD>${body}`]]))).toThrow(
    expect.objectContaining({
      message: expect.stringContaining(message),
      failure: expect.objectContaining({ cause: "file" }),
    }),
  );
});

test("texts that touch too many segments are counted before they are copied", () => {
  const cues = Array.from({ length: 100_000 }, () => cue(0, 3_600_000));
  expect(() => segmentedWebvtt(cues, { seconds: 1, nameOf: String })).toThrow(TooMuchText);
});

test("each segment has the texts that a cut of the whole gives it", () => {
  const cues = Array.from({ length: 200 }, (_, at) => cue(at * 313, at * 313 + 20 + ((at * 977) % 15_000)));
  const { segments } = segmentedWebvtt(cues, { seconds: 2.002, nameOf: String });
  const total = Math.max(...cues.map(({ to }) => to / 1000));
  for (const [index, { text }] of segments.entries()) {
    const from = Math.round(index * 2002);
    const length = Math.min(2.002, total - index * 2.002);
    const range = { from, to: from + Math.round(length * 1000) };
    expect(text).toBe(printWebvtt(cues.filter((each) => cutCues([each], range).length > 0)));
  }
});
