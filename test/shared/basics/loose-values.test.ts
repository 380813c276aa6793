import { expect, test } from "vitest";
import { looseBoolean, looseInteger, looseNumber, numberOrText } from "../../../shared/basics/loose-values.ts";

test.each([
  ["6", 6],
  [" -6 ", -6],
  ["6.0", 6],
  [6, 6],
])("%j is an integer", (value, integer) => {
  expect(looseInteger().parse(value)).toBe(integer);
});

test.each(["6.5", "", " ", "1e3", "0x10", "six", null, true, [6], Number.NaN, "9".repeat(20)])(
  "%j is no integer",
  (value) => {
    expect(looseInteger().safeParse(value).success).toBe(false);
  },
);

test("both edges of a range are within it", () => {
  const range = looseInteger(1, 254);
  expect(["0", 1, "254", 255].map((value) => range.safeParse(value).success)).toEqual([false, true, true, false]);
});

test("a number may have decimals", () => {
  expect(looseNumber(0).parse("2.50")).toBe(2.5);
  expect(looseNumber(0).safeParse("-0.1").success).toBe(false);
});

test("a boolean may be written as a word, and as nothing else", () => {
  expect(["true", "false", true, false].map((value) => looseBoolean().parse(value))).toEqual([
    true,
    false,
    true,
    false,
  ]);
  expect([1, 0, "yes", "TRUE", null].some((value) => looseBoolean().safeParse(value).success)).toBe(false);
});

test("a number or a text is given as text", () => {
  expect([25, "30000/1001"].map((value) => numberOrText().parse(value))).toEqual(["25", "30000/1001"]);
});
