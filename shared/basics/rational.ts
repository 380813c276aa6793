import { z } from "zod";

/** Exact times and rates: numerator and positive denominator in lowest terms. Seconds or 1/seconds. */
export const rational = z.strictObject({ num: z.number().int(), den: z.number().int().positive() });
export type Rational = z.output<typeof rational>;

/** The resolution for fractions that become too long to be exact: divisible by all usual frame and sample rates. */
export const ticksPerSecond = 141_120_000;

/** `num / den` in lowest terms. Throws RangeError on a zero denominator. */
export const ratio = (num: number, den = 1): Rational => {
  if (den === 0) throw new RangeError("a rational needs a denominator that is not zero");
  const sign = den < 0 ? -1 : 1;
  const divisor = gcd(Math.abs(num), Math.abs(den)) || 1;
  // Adding zero makes -0 a plain 0.
  return { num: (sign * num) / divisor + 0, den: Math.abs(den) / divisor };
};

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));

export const toNumber = ({ num, den }: Rational): number => num / den;
export const toFraction = ({ num, den }: Rational): string => (den === 1 ? `${num}` : `${num}/${den}`);
export const invert = ({ num, den }: Rational): Rational => ratio(den, num);
export const negate = ({ num, den }: Rational): Rational => ({ num: -num + 0, den });

export const multiply = (a: Rational, b: Rational): Rational => {
  const [num, den] = [a.num * b.num, a.den * b.den];
  return areExact(num, den) ? ratio(num, den) : reduced(BigInt(a.num) * BigInt(b.num), BigInt(a.den) * BigInt(b.den));
};

export const add = (a: Rational, b: Rational): Rational => {
  const [left, right, den] = [a.num * b.den, b.num * a.den, a.den * b.den];
  if (areExact(left, right, left + right, den)) return ratio(left + right, den);
  const sum = BigInt(a.num) * BigInt(b.den) + BigInt(b.num) * BigInt(a.den);
  return reduced(sum, BigInt(a.den) * BigInt(b.den));
};

export const subtract = (a: Rational, b: Rational): Rational => add(a, negate(b));

/** Negative, zero or positive, as `a` is less than, equal to or greater than `b`. */
export const compare = (a: Rational, b: Rational): number => {
  const [left, right] = [a.num * b.den, b.num * a.den];
  if (areExact(left, right)) return left - right;
  return Number(BigInt(a.num) * BigInt(b.den) - BigInt(b.num) * BigInt(a.den));
};

export const min = (a: Rational, b: Rational): Rational => (compare(a, b) <= 0 ? a : b);
export const max = (a: Rational, b: Rational): Rational => (compare(a, b) >= 0 ? a : b);

/** The nearest integer; halves go up. */
export const round = ({ num, den }: Rational): number => {
  const doubled = 2n * BigInt(num) + BigInt(den);
  const by = 2n * BigInt(den);
  const down = doubled / by;
  return Number(doubled % by < 0n ? down - 1n : down);
};

export const ticksOf = (seconds: Rational): number => round(multiply(seconds, ratio(ticksPerSecond)));

const areExact = (...values: readonly number[]) => values.every(Number.isSafeInteger);

// A fraction that is too long even in lowest terms is rounded to the nearest tick, so that no chain of sums can
// overflow.
const reduced = (num: bigint, den: bigint): Rational => {
  const divisor = bigGcd(num < 0n ? -num : num, den);
  const [top, bottom] = [Number(num / divisor), Number(den / divisor)];
  if (areExact(top, bottom)) return { num: top + 0, den: bottom };
  return ratio(Number((2n * num * BigInt(ticksPerSecond) + den) / (2n * den)), ticksPerSecond);
};

const bigGcd = (a: bigint, b: bigint): bigint => (b === 0n ? a : bigGcd(b, a % b));

/** Parses "30000/1001", "16:9", "25", "23.976" or a number. Undefined for anything else, including "0/0" and "N/A". */
export const parseRational = (text: string | number | undefined): Rational | undefined => {
  const found = /^\s*(-?\d+)(?:\.(\d+))?(?:\s*[/:]\s*(\d+))?\s*$/.exec(String(text ?? ""));
  if (!found) return undefined;
  const [, whole = "0", decimals = "", under = "1"] = found;
  if (Number(under) === 0 || decimals.length > 12) return undefined;
  return ratio(Number(whole + decimals), Number(under) * 10 ** decimals.length);
};

/** Broadcast rates are written short ("23.976", "29.97") and mean n*1000/1001: 24000/1001, 30000/1001. */
export const parseFrameRate = (text: string | number | undefined): Rational | undefined => {
  const given = parseRational(text);
  if (!given || given.num <= 0) return undefined;
  const nominal = Math.round(toNumber(given));
  const exact = ratio(nominal * 1000, 1001);
  const isShortForm = given.den !== 1 && given.den !== 1001 && Math.abs(toNumber(given) - toNumber(exact)) < 0.01;
  return isShortForm ? exact : given;
};

/** Seconds for people or for an ffmpeg argument: at most six decimals, no exponent. */
export const toSeconds = (value: Rational | number): string => {
  const seconds = typeof value === "number" ? value : toNumber(value);
  return seconds.toFixed(6).replace(/\.?0+$/, "");
};
