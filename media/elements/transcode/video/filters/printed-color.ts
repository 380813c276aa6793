import { hexOf, numbersOf } from "./colors.ts";

/** How printed colours get into pictures of high dynamic range: the nits of white. */
const presets = { r709_to_r2020_pq_300nit: 300 } as const;
export type PrintedPreset = keyof typeof presets;

/** A colour of BT.709 as it is printed, in ffmpeg's syntax; with a preset as numbers of BT.2020 and PQ. */
export const printedColor = (text: string, preset: PrintedPreset | undefined, path: string): string => {
  const [red, green, blue, opacity] = numbersOf(text, path);
  const made = preset === undefined ? [red, green, blue] : wide([red, green, blue], presets[preset]);
  return `0x${[...made, opacity].map(hexOf).join("")}`;
};

/** From the primaries of BT.709 to those of BT.2020 (ITU-R BT.2087). */
const matrix = [
  [0.6274, 0.3293, 0.0433],
  [0.0691, 0.9195, 0.0114],
  [0.0164, 0.088, 0.8956],
];

const wide = (color: readonly number[], white: number): number[] => {
  const linear = color.map((value) => (value / 255) ** 2.4);
  return matrix.map((row) =>
    Math.round(255 * pq(row.reduce((sum, share, at) => sum + share * (linear[at] ?? 0), 0) * white)),
  );
};

/** The curve of SMPTE ST 2084 for so many nits. */
const pq = (nits: number): number => {
  const power = Math.min(1, nits / 10_000) ** 0.1593017578125;
  return ((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power)) ** 78.84375;
};
