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
  toFraction,
  toNumber,
  toSeconds,
} from "../../shared/rational.ts";
import { randomFrom } from "../helpers/random.ts";

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
