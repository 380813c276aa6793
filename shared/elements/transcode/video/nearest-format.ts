import { bitDepthOf, chromaOf, colorSpaceOf } from "../../../pixel-format.ts";

/** Share of the picture's points that have a colour of their own. */
const density: Readonly<Record<string, number>> = {
  CS_444: 4,
  CS_440: 2,
  CS_422: 2,
  CS_411: 1,
  CS_420: 1,
  CS_410: 0.5,
};

type Form = {
  readonly depth: number;
  readonly chroma: number;
  readonly subsampling: string;
  readonly isRgb: boolean;
  readonly isFullRange: boolean;
  readonly hasAlpha: boolean;
};

const formOf = (format: string): Form => {
  const subsampling = chromaOf(format) ?? "";
  return {
    depth: bitDepthOf(format) ?? 8,
    chroma: density[subsampling] ?? 4,
    subsampling,
    isRgb: colorSpaceOf(format) === "RGB",
    isFullRange: format.startsWith("yuvj"),
    hasAlpha: /^(yuva|rgba|bgra|argb|abgr|gbrap|ya\d)/.test(format),
  };
};

/**
 * The one of these pixel formats that keeps most of the source's picture, and of those that keep equally much the
 * smallest. Undefined where none is of the source's kind: pictures of red, green and blue have no chroma to go by.
 */
export const nearestFormat = (source: string | undefined, formats: readonly string[]): string | undefined => {
  if (source === undefined) return undefined;
  const from = formOf(source);
  const alike = formats.filter((format) => formOf(format).isRgb === from.isRgb);
  const costs = alike.map((format) => costOf(from, formOf(format)));
  return alike[costs.indexOf(Math.min(...costs))];
};

// What is lost weighs far more than what is added.
const costOf = (from: Form, to: Form): number =>
  (to.chroma < from.chroma ? 100 * (from.chroma - to.chroma) : 3 * (to.chroma - from.chroma)) +
  (to.depth < from.depth ? 20 * (from.depth - to.depth) : to.depth - from.depth) +
  (from.hasAlpha && !to.hasAlpha ? 50 : 0) +
  (to.hasAlpha && !from.hasAlpha ? 10 : 0) +
  (from.isFullRange === to.isFullRange ? 0 : 30) +
  (from.subsampling === to.subsampling ? 0 : 1);
