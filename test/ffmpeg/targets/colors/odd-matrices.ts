import type { Numbers } from "./numbers.ts";

type Parts = readonly [red: number, green: number, blue: number];

/** Brightness and two differences, on the scale of eight bits in limited range. */
const limited = ([y, first, second]: Parts): Numbers => [16 + 219 * y, 128 + 224 * first, 128 + 224 * second];

/** ITU-R BT.2020, table 4, non-constant luminance. */
const wide = ([red, green, blue]: Parts): Parts => {
  const y = 0.2627 * red + 0.678 * green + 0.0593 * blue;
  return [y, (blue - y) / 1.8814, (red - y) / 1.4746];
};

/** The same table, constant luminance: brightness is made of light, by the curve of cameras. */
const constant = ([red, green, blue]: Parts): Parts => {
  const light = (value: number) => (value < 0.08145 ? value / 4.5 : ((value + 0.0993) / 1.0993) ** (1 / 0.45));
  const sum = 0.2627 * light(red) + 0.678 * light(green) + 0.0593 * light(blue);
  const y = sum < 0.0181 ? 4.5 * sum : 1.0993 * sum ** 0.45 - 0.0993;
  return [y, (blue - y) / (blue <= y ? 1.9404 : 1.582), (red - y) / (red <= y ? 1.7184 : 0.9936)];
};

/** ITU-T H.273, matrix 8. */
const lifted = ([red, green, blue]: Parts): Parts => [
  (red + 2 * green + blue) / 4,
  (2 * green - red - blue) / 4,
  (red - blue) / 2,
];

/** SMPTE ST 2084. */
const [m1, m2, c1, c2, c3] = [0.1593017578125, 78.84375, 0.8359375, 18.8515625, 18.6875];
const lightOf = (value: number): number => {
  const root = value ** (1 / m2);
  return (Math.max(root - c1, 0) / (c2 - c3 * root)) ** (1 / m1);
};
const coded = (light: number): number => ((c1 + c2 * light ** m1) / (1 + c3 * light ** m1)) ** m2;

/** ITU-R BT.2100, table 7, with the curve of PQ. */
const ofCones = (color: Parts): Parts => {
  const [red, green, blue] = color.map(lightOf) as [number, number, number];
  const l = coded((1688 * red + 2146 * green + 262 * blue) / 4096);
  const m = coded((683 * red + 2951 * green + 462 * blue) / 4096);
  const s = coded((99 * red + 309 * green + 3688 * blue) / 4096);
  return [(l + m) / 2, (6610 * l - 13613 * m + 7003 * s) / 4096, (17933 * l - 17390 * m - 543 * s) / 4096];
};

const formulas = {
  ...{ bt2020nc: wide, bt2020c: constant, ycgco: lifted, ictcp: ofCones },
  // With the primaries of BT.2020 these are the numbers of BT.2020.
  ...{ "chroma-derived-nc": wide, "chroma-derived-c": constant },
  // Nothing converts it: any numbers will do.
  smpte2085: wide,
} as const;

export type OddMatrix = keyof typeof formulas;

/** Red, green and blue of eight bits, as their curve has made them, in the numbers of a matrix. */
export const oddly = (color: Numbers, matrix: OddMatrix): Numbers => {
  const [red, green, blue] = color;
  return limited(formulas[matrix]([red / 255, green / 255, blue / 255]));
};
