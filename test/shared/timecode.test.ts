import { expect, test } from "vitest";
import { ratio } from "../../shared/rational.ts";
import { framesOfTimecode, timecodeOfFrames } from "../../shared/timecode.ts";

const ntsc = ratio(30000, 1001);

test("an hour of drop-frame is 107892 frames", () => {
  expect([framesOfTimecode("01:00:00;00", ntsc), timecodeOfFrames(107892, ntsc, true)]).toEqual([
    107892,
    "01:00:00;00",
  ]);
});

test("every drop-frame number comes back", () => {
  const frames = Array.from({ length: 4000 }, (_, index) => index * 27);
  expect(frames.map((frame) => framesOfTimecode(timecodeOfFrames(frame, ntsc, true), ntsc))).toEqual(frames);
});

test("the numbers that drop-frame skips do not appear", () => {
  expect([1799, 1800].map((frame) => timecodeOfFrames(frame, ntsc, true))).toEqual(["00:00:59;29", "00:01:00;02"]);
});

test("other text is no timecode", () => {
  expect(framesOfTimecode("1:2:3:4", ntsc)).toBeUndefined();
});
