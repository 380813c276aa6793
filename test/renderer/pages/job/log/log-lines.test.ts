import { expect, test } from "vitest";
import { findHits, markHits, splitLog, toneOf } from "../../../../../renderer/pages/job/log/log-lines.ts";

test("lines end at every kind of line end, and the last one needs none", () => {
  expect(splitLog("a\r\nb\rc\n\nd")).toEqual({ lines: ["a", "b", "c", "", "d"], width: 1 });
  expect(splitLog("a\n")).toEqual({ lines: ["a"], width: 1 });
  expect(splitLog("")).toEqual({ lines: [], width: 0 });
});

test("a line without an end is cut into pieces, none of it is lost", () => {
  const text = "x".repeat(2500);
  const { lines, width } = splitLog(text);
  expect([lines.length, width, lines.join("")]).toEqual([3, 1000, text]);
});

test("hits are found whatever their case, and marked where they stand", () => {
  expect(findHits(["Frame 1", "nothing", "a frame and a FRAME"], "frame")).toEqual([0, 2]);
  expect(findHits(["a"], "")).toEqual([]);
  expect(
    markHits("a frame and a FRAME!", "frame")
      .map(({ text, isHit }) => (isHit ? `[${text}]` : text))
      .join(""),
  ).toBe("a [frame] and a [FRAME]!");
});

test("a line whose letters change their number when folded is marked in the right place", () => {
  expect(markHits("İstanbul frame", "frame")).toEqual([
    { text: "İstanbul ", isHit: false },
    { text: "frame", isHit: true },
  ]);
});

test("what stands between slashes is an expression; one that is not finished finds nothing", () => {
  const lines = ["frame= 12", "frame= 7", "speed= 1"];
  expect([findHits(lines, "/frame= \\d$/"), findHits(lines, "/(/"), findHits(lines, "= 1")]).toEqual([[1], [], [0, 2]]);
});

test("lines that complain stand out", () => {
  expect(["[error] no", "a warning: x", "frame=1"].map(toneOf)).toEqual(["fault", "warning", "plain"]);
});
