import { expect, test } from "vitest";
import { createPacketReader } from "../../../media/ffmpeg/packets.ts";
import { ratio } from "../../../shared/basics/rational.ts";

const read = (lines: readonly string[], at: number[] = [], zero = ratio(0)) => {
  const reader = createPacketReader("in.mkv");
  const text = [...lines, "time_base=1/10|", ""].join("\n");
  // Whatever way the text is cut, it says the same.
  for (let from = 0; from < text.length; from += 7) reader.feed(text.slice(from, from + 7));
  return reader.listing({ stream: 0, zero, at });
};
const packet = (pts: number | string, flags = "___") => `pts=${pts}|duration=2|flags=${flags}`;

test("frames are counted in the order in which they are shown, hidden ones and those before zero left out", () => {
  const lines = [packet(-2, "KD_"), packet(0, "K__"), packet(6), packet(2), packet(4), packet(8, "K__")];
  expect(read(lines, [0, 1, 3], ratio(1, 5))).toEqual({
    ...{ stream: 0, zero: ratio(1, 5), frames: 4 },
    times: [
      [0, ratio(0)],
      [1, ratio(1, 5)],
      [3, ratio(3, 5)],
    ],
    groups: { keyframes: 2, shortest: 4, longest: 4, isClosed: true, hasBFrames: true },
  });
});

test("behind the last frame there is the end, however far behind", () => {
  expect(read([packet(0, "K__"), packet(3)], [2, 99]).times).toEqual([
    [2, ratio(1, 2)],
    [99, ratio(1, 2)],
  ]);
});

test("a picture that is shown before its keyframe makes a group open", () => {
  const lines = [packet(0, "K__"), packet(2), packet(6, "K__"), packet(4), packet(8)];
  expect(read(lines).groups).toEqual({ keyframes: 2, shortest: 3, longest: 3, isClosed: false, hasBFrames: true });
});

test.each([
  ["without times", [packet("N/A", "K__")], "in.mkv: its frames have no timestamps and cannot be counted"],
  ["without packets", [], "in.mkv has no frames to list"],
])("a stream %s is refused", (_what, lines, message) => {
  expect(() => read(lines)).toThrow(message);
});
