import { describe, expect, test } from "vitest";
import {
  addToTimecode,
  canDrop,
  framesOfDay,
  framesToTimecode,
  timecodeToFrames,
} from "../../../media/formats/timecode.ts";
import { ratio } from "../../../shared/basics/rational.ts";

const ntsc = ratio(30000, 1001);
const film = ratio(24000, 1001);

/** Every rate that a timecode may have; those that can drop count both ways. */
const rates = [
  ...[film, ratio(24), ratio(25), ntsc, ratio(30), ratio(48000, 1001), ratio(48), ratio(50), ratio(60000, 1001)],
  ...[ratio(60), ratio(100), ratio(120000, 1001), ratio(120)],
];
const ways = rates.flatMap((rate) =>
  canDrop(rate) ? [[rate, false] as const, [rate, true] as const] : [[rate, false] as const],
);

test("drop-frame exists at 29.97, 59.94 and 119.88", () => {
  expect(rates.filter(canDrop)).toEqual([ntsc, ratio(60000, 1001), ratio(120000, 1001)]);
});

describe.each(ways)("at %o, drop-frame %o", (rate, isDrop) => {
  test("every number comes back", () => {
    const day = framesOfDay(rate, isDrop);
    const frames = [0, 1, day - 1, ...Array.from({ length: 5000 }, (_, index) => (index * 16411) % day)];
    expect(frames.map((frame) => timecodeToFrames(framesToTimecode(frame, rate, isDrop), rate))).toEqual(frames);
  });

  test("numbers rise by one through the first eleven minutes", () => {
    const count = 11 * 60 * Math.round(rate.num / rate.den);
    const texts = Array.from({ length: count }, (_, frame) => framesToTimecode(frame, rate, isDrop));
    expect(texts.map((text) => timecodeToFrames(text, rate))).toEqual(texts.map((_, frame) => frame));
    expect(new Set(texts).size).toBe(count);
  });

  test("midnight follows the day's last frame", () => {
    const first = framesToTimecode(0, rate, isDrop);
    expect(framesToTimecode(framesOfDay(rate, isDrop), rate, isDrop)).toBe(first);
    expect(framesToTimecode(-1, rate, isDrop).slice(0, 8)).toBe("23:59:59");
  });
});

test.each([
  ["01:00:00;00", ntsc, 107_892],
  ["01:00:00:00", ntsc, 108_000],
  ["00:10:00;00", ntsc, 17_982],
  ["01:00:00;00", ratio(60000, 1001), 215_784],
  ["01:00:00;00", ratio(120000, 1001), 431_568],
  ["00:01:00;08", ratio(120000, 1001), 7200],
  ["00:00:00:119", ratio(120), 119],
  ["01:00:00:00", film, 86_400],
  ["01:00:00.00", ntsc, 107_892],
])("%s at %o is frame %i", (text, rate, frame) => {
  expect(timecodeToFrames(text, rate)).toBe(frame);
});

test("the numbers that drop-frame skips do not appear, and mean the next one where they are written", () => {
  expect([1799, 1800].map((frame) => framesToTimecode(frame, ntsc, true))).toEqual(["00:00:59;29", "00:01:00;02"]);
  expect(["00:01:00;00", "00:01:00;01", "00:01:00;02"].map((text) => timecodeToFrames(text, ntsc))).toEqual([
    ...[1800, 1800, 1800],
  ]);
});

test.each(["1:2:3:4", "00:60:00:00", "00:00:60:00", "00:00:00:30", "00:00:00:100", "", "00:00:00"])(
  "%j is not a timecode at 29.97",
  (text) => {
    expect(timecodeToFrames(text, ntsc)).toBeUndefined();
  },
);

test("a later timecode counts as the first one does", () => {
  expect(addToTimecode("00:00:59;29", ratio(1001, 30000), ntsc)).toBe("00:01:00;02");
  expect(addToTimecode("00:00:59:29", ratio(1001, 30000), ntsc)).toBe("00:01:00:00");
  expect(addToTimecode("23:59:59:24", ratio(1, 25), ratio(25))).toBe("00:00:00:00");
  expect(addToTimecode("what", ratio(1), ratio(25))).toBe("what");
});
