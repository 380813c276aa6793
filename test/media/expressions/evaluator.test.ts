import { describe, expect, test } from "vitest";
import { evaluate, holds, missingPaths } from "../../../media/expressions/evaluator.ts";
import { parseExpression } from "../../../media/expressions/parser.ts";

const video = [{ width: 1920, height: 1080, par: 1, bitrate_kb: 8000, frame_rate: 30000 / 1001, codec: "h264" }];
const scope = {
  source: {
    video: Object.assign([...video], video[0]),
    audio: [{ channels: 6, sample_rate: 48_000 }, { channels: 2 }],
    subtitle: [],
  },
  bitrate_kb: 1000,
  level: "4.0",
};
const value = (text: string) => evaluate(parseExpression(text), scope);

describe("what an expression comes to", () => {
  test.each([
    ["1 + 2 * 3", 7],
    ["(1 + 2) * 3", 9],
    ["10 - 4 - 3", 3],
    ["100 / 10 / 5", 2],
    ["-2 ^ 2", -4],
    ["(-2) ^ 2", 4],
    ["2 ^ 3 ^ 2", 512],
    ["2 ^ -1", 0.5],
    ["2 * -3", -6],
    ["- - 3", 3],
    ["7 % 3", 1],
    ["-7 % 3", 2],
    [".5 + 1. + 1e2", 101.5],
    ["1 < 2 && 2 <= 2 && 3 > 2 && 3 >= 3", true],
    ["1 == 1.0 && 1 != 2", true],
    ["!0 && !''", true],
    ["!(1 > 2)", true],
    ["1 > 2 ? 'a' : 2 > 1 ? 'b' : 'c'", "b"],
    ["'a' < 'b'", true],
    ["'it''s' == 1 ? 1 : 2".replace("''", "\\'"), 2],
    ["\"double\" == 'double'", true],
    ["'4' == 4 && '4.0' == 4", true],
    ["'x' == 4", false],
    ["'x' + 1 + true", "x1true"],
    ["level >= 4", true],
    ["round(2.5) + round(-2.5)", 0],
    ["round(23.976, 2)", 23.98],
    ["floor(2.9) + ceil(2.1) + trunc(-2.9) + abs(-4)", 7],
    ["min(3, 1, 2) + max(3, 1, 2) + sqrt(16)", 8],
    ["source.video.height", 1080],
    ["source.video[0].height", 1080],
    ["source.video[0]['height']", 1080],
    ["source.video.height >= 720 ? 2000 : 800", 2000],
    ["source.video.frame_rate == (30000/1001)", true],
    ["round(source.video.width * source.video.par / 2) * 2", 1920],
    ["source.audio.length", 2],
    ["source.audio.size()", 2],
    ["source.audio[0].channels >= 6 && source.audio[1].channels == 2", true],
    ["source.audio[source.audio.length - 1].channels", 2],
    ["bitrate_kb * 1.20", 1200],
    ["'h264'.length + 'h264'.size()", 8],
    ["source.video.codec.startsWith('h26')", true],
    ["source.video.codec.toUpperCase() + 'x'", "H264x"],
    ["'h264 h265'.includes('h265')", true],
    ["source.audio[1] ? 1 : 0", 1],
    ["source.subtitle ? 1 : 0", 0],
    ["25/(24000/1001)", 25 / (24000 / 1001)],
  ])("%s", (text, expected) => {
    expect(value(text)).toEqual(expected);
  });
});

describe("what is not known stays unknown", () => {
  test.each([
    "nothing",
    "source.nothing.further",
    "source.video[7].height",
    "source.video[-1]",
    "source.video[0.5]",
    "source.nothing + 1",
    "-source.nothing",
    "!source.nothing",
    "source.nothing == 1",
    "source.nothing != 1",
    "source.nothing ? 1 : 2",
    "source.nothing && true",
    "source.nothing || false",
    "round(source.nothing)",
    "'text'.includes(source.nothing)",
    "1 / 0",
    "1 % 0",
    "sqrt(-1)",
    "10 ^ 400",
    "'a' * 2",
    "true + 1",
    "source.video < 1",
    "source.video.height.size()",
    "source.audio.constructor",
    "source.__proto__",
    "source.audio.map",
    "'text'.constructor",
    "constructor",
    "toString",
    "source['hasOwnProperty']",
  ])("%s", (text) => {
    expect(value(text)).toBeUndefined();
    expect(holds(parseExpression(text), scope)).toBe(false);
  });

  test("one side of && and || may decide alone", () => {
    expect(value("nothing || true")).toBe(true);
    expect(value("true || nothing")).toBe(true);
    expect(value("nothing && false")).toBe(false);
    expect(value("false && nothing")).toBe(false);
  });

  test("the paths that lead to nothing are named", () => {
    const missing = (text: string) => missingPaths(parseExpression(text), scope);
    expect(missing("source.video[3].height > 2 && bitrate_kb > nothing * 2")).toEqual([
      "source.video[3].height",
      "nothing",
    ]);
    expect(missing("source.audio[which].channels")).toEqual(["which"]);
    expect(missing("source.video.height / 0")).toEqual([]);
  });

  test("functions and objects of a kind of their own have no value", () => {
    const strange = { f: () => 1, date: new Date(0), big: 1n, endless: Number.POSITIVE_INFINITY };
    for (const name of Object.keys(strange)) expect(evaluate(parseExpression(name), strange)).toBeUndefined();
  });
});
