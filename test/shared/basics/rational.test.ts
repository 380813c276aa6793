import { expect, test } from "vitest";
import {
  add,
  compare,
  invert,
  multiply,
  parseFrameRate,
  parseRational,
  type Rational,
  ratio,
  rational,
  round,
  ticksOf,
  ticksPerSecond,
  toFraction,
  toNumber,
  toSeconds,
} from "../../../shared/basics/rational.ts";
import { randomFrom } from "../../helpers/random/random.ts";

test("a rational is kept in lowest terms with a positive denominator", () => {
  expect([ratio(6, 4), ratio(6, -4), ratio(-6, -4), ratio(0, -5), ratio(7)]).toEqual([
    { num: 3, den: 2 },
    { num: -3, den: 2 },
    { num: 3, den: 2 },
    { num: 0, den: 1 },
    { num: 7, den: 1 },
  ]);
});

test("a zero denominator is refused", () => {
  expect(() => ratio(1, 0)).toThrow(RangeError);
  expect(() => invert(ratio(0))).toThrow(RangeError);
});

test.each([
  ["30000/1001", "30000/1001"],
  ["16:9", "16/9"],
  ["25", "25"],
  [25, "25"],
  ["23.976", "2997/125"],
  ["-0.5", "-1/2"],
  [" 4 / 2 ", "2"],
  ["0", "0"],
  ["-0", "0"],
])("%j reads %s", (text, fraction) => {
  const value = parseRational(text);
  expect(value && toFraction(value)).toBe(fraction);
  expect(rational.parse(value)).toEqual(value);
});

test.each(["0/0", "1/0", "N/A", "", "1e3", "1/-2", "a", ".5", "1.1234567890123"])("%j is no rational", (text) => {
  expect(parseRational(text)).toBeUndefined();
});

test("nothing is no rational", () => {
  expect(parseRational(undefined)).toBeUndefined();
});

test.each([
  ["23.976", "24000/1001"],
  ["23.98", "24000/1001"],
  ["29.97", "30000/1001"],
  ["59.94", "60000/1001"],
  [29.97, "30000/1001"],
  ["25", "25"],
  ["12.5", "25/2"],
  ["24000/1001", "24000/1001"],
  ["30/1", "30"],
])("the frame rate %j means %s", (text, fraction) => {
  const value = parseFrameRate(text);
  expect(value && toFraction(value)).toBe(fraction);
});

test.each(["0", "-25", "0/0", "fast"])("%j is no frame rate", (text) => {
  expect(parseFrameRate(text)).toBeUndefined();
});

test.each([
  [ratio(1, 3), "0.333333"],
  [ratio(100), "100"],
  [ratio(0), "0"],
  [10.5, "10.5"],
  [1e-7, "0"],
  [ratio(-1, 2), "-0.5"],
] as const)("%j is %s seconds", (value, text) => {
  expect(toSeconds(value)).toBe(text);
});

test("sums and products are exact, in any order", () => {
  const random = randomFrom(1);
  const any = (): Rational => ratio(random.integer(-5000, 5000), random.integer(1, 5000));
  for (let round = 0; round < 2000; round += 1) {
    const [a, b] = [any(), any()];
    expect(add(a, b)).toEqual(add(b, a));
    expect(multiply(a, b)).toEqual(multiply(b, a));
    expect(add(add(a, b), multiply(b, ratio(-1)))).toEqual(a);
    if (b.num !== 0) expect(multiply(multiply(a, b), invert(b))).toEqual(a);
    expect(Math.sign(compare(a, b))).toBe(Math.sign(toNumber(a) - toNumber(b)));
    expect(parseRational(toFraction(a))).toEqual(a);
  }
});

test("a day of film at odd rates stays exact", () => {
  const frame = ratio(1001, 120000);
  const day = multiply(ratio(86_400 * 120), frame);
  expect(add(add(day, ratio(1, 90000)), multiply(frame, ratio(-1)))).toEqual(ratio(31_135_101_001, 360000));
  expect(compare(add(day, ratio(1, 705_600_000)), day)).toBeGreaterThan(0);
});

test("what is too long to be exact becomes the nearest tick, and never overflows", () => {
  const long = ratio(9_007_199_254_740_881, 9_007_199_254_740_847);
  const product = multiply(long, ratio(4_503_599_627_370_449, 4_503_599_627_370_400));
  expect(rational.parse(product)).toEqual(product);
  expect(Math.abs(toNumber(product) - 1)).toBeLessThan(1 / ticksPerSecond);
});

test.each([
  [ratio(5, 2), 3],
  [ratio(-5, 2), -2],
  [ratio(-7, 3), -2],
  [ratio(7, 3), 2],
  [ratio(0), 0],
])("%j rounds to %i", (value, whole) => {
  expect(round(value)).toBe(whole);
});

test.each([24, 25, 30, 48, 50, 60, 90_000, 44_100, 48_000, 96_000, 192_000])(
  "a second of %i has whole ticks",
  (rate) => {
    expect(ticksOf(ratio(1, rate)) * rate).toBe(ticksPerSecond);
    expect(Number.isInteger(ticksPerSecond / rate)).toBe(true);
  },
);

test("a frame of 23.976 has 5,885,880 ticks", () => {
  expect(ticksOf(ratio(1001, 24000))).toBe(5_885_880);
});
