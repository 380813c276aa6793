import { expect, test } from "vitest";
import { readResult, resultParsers } from "../../../media/results/index.ts";

const read = (lines: readonly string[]) => {
  const reader = resultParsers.ebur128.begin();
  for (const line of lines) reader.line(line);
  return reader.end();
};

const notes = (integrated: string, peak: string): string[] => [
  `lavfi.r128.I=${integrated}`,
  "lavfi.r128.LRA=1.500",
  `lavfi.astats.Overall.Peak_level=${peak}`,
];

test("the last notes are the measurement, peaks in decibels", () => {
  const value = read([...notes("-1.0", "-20"), "frame:1", ...notes("-23.66", "-6.020600")]);
  const loudness = { integrated: -23.66, range: 1.5, truePeak: -6.0206, threshold: -33.66, offset: 0 };
  expect(value).toEqual(loudness);
  expect(readResult("loudness", { kind: "loudness", value })).toEqual(loudness);
});

test("silence is a number that filters take", () => {
  expect(read(notes("-inf", "-inf"))).toMatchObject({ integrated: -99, truePeak: -99 });
});

test("no measurement is an error in words", () => {
  expect(() => read(["frame:1"])).toThrow("ebur128 printed no measurement");
});

test("a result of another kind is not read", () => {
  expect(readResult("loudness", { kind: "other", value: {} })).toBeUndefined();
});
