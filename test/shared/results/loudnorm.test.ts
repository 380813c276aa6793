import { expect, test } from "vitest";
import { readResult, resultParsers } from "../../../shared/results/index.ts";

const printed = (changes: Record<string, string> = {}): string[] => {
  const told = {
    input_i: "-23.66",
    input_tp: "-14.26",
    input_lra: "1.50",
    input_thresh: "-33.70",
    output_i: "-24.10",
    target_offset: "0.10",
    ...changes,
  };
  return ["[Parsed_loudnorm_0 @ 0x55] [info] ", ...JSON.stringify(told, null, 1).split("\n")];
};

const read = (lines: readonly string[]) => {
  const reader = resultParsers.loudnorm.begin();
  for (const line of lines) reader.line(line);
  return reader.end();
};

test("the block that loudnorm prints last is the measurement", () => {
  const value = read([...printed({ input_i: "-1.00" }), "[info] frame= 10", ...printed()]);
  const loudness = { integrated: -23.66, range: 1.5, truePeak: -14.26, threshold: -33.7, offset: 0.1 };
  expect(value).toEqual(loudness);
  expect(readResult("loudness", { kind: "loudness", value })).toEqual(loudness);
});

test("silence is a number that filters take", () => {
  expect(read(printed({ input_i: "-inf" }))).toMatchObject({ integrated: -99 });
});

test("no measurement is an error in words", () => {
  expect(() => read(["[info] nothing", "{", "}"])).toThrow("loudnorm printed no measurement");
});

test("a result of another kind is not read", () => {
  expect(readResult("loudness", { kind: "other", value: {} })).toBeUndefined();
});
