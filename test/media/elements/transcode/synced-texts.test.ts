import { expect, test } from "vitest";
import { beginOf } from "../../../../media/elements/transcode/subtitles/candidates.ts";
import { parseOnClock } from "../../../../media/subtitles/index.ts";
import { type Rational, ratio } from "../../../../shared/basics/rational.ts";
import type { Sidecar } from "../../../../shared/model/asset.ts";
import { aPicture } from "../../../helpers/media/transcode-words.ts";

/** HELLO is shown 29 frames after the first hour on the text's own clock, and erased two seconds later. */
const scc = (mark: ":" | ";") =>
  [
    "Scenarist_SCC V1.0",
    `01:00:00${mark}20\t94ae 94ae 9420 9420 9470 9470 c845 4c4c 4f80 942f 942f`,
    `01:00:02${mark}28\t942c 942c`,
  ].join("\n\n");
const srt = "1\n01:00:00,967 --> 01:00:02,967\nHELLO\n";

const film = (rate: Rational) => aPicture({ frameRate: rate, averageFrameRate: rate });
const text: Sidecar = { uri: "file:///in/a.scc", kind: "closed_caption", syncToTimecode: true };

/** When the text is shown in a film that begins with this timecode, in milliseconds. */
const shown = (written: string, timecode: string, rate: Rational, start = 0): number | undefined => {
  const { begin, clock = 0 } = beginOf(text, { timecode, video: film(rate), start });
  const [cue] = parseOnClock(written, clock);
  return cue && cue.from - begin;
};

test.each([
  ["25", ratio(25), "01:00:00:00"],
  ["23.976", ratio(24_000, 1001), "01:00:00:00"],
  ["29.97", ratio(30_000, 1001), "01:00:00:00"],
  ["29.97 with drop-frame", ratio(30_000, 1001), "01:00:00;00"],
])("texts in timecode begin with a film of %s frames, however they count", (_name, rate, timecode) => {
  for (const written of [scc(":"), scc(";"), srt]) expect(shown(written, timecode, rate)).toBeCloseTo(967, -1.5);
});

test("what is cut from a film's beginning is cut from its texts by the same time", () => {
  const rate = ratio(24_000, 1001);
  for (const written of [scc(":"), scc(";"), srt])
    expect(shown(written, "01:00:00:12", rate, 0.5005)).toBeCloseTo(467, -1.5);
});

test("texts without timecode begin with the file", () => {
  const { syncToTimecode: _no, ...plain } = text;
  expect(beginOf(plain, { timecode: "01:00:00:00", video: film(ratio(25)), start: 2 })).toEqual({
    ...{ begin: 2000, shown: 3_598_000 },
  });
});
