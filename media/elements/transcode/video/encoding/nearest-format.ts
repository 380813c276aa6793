import { bitDepthOf, chromaOf, colorSpaceOf, hasAlpha } from "../../../../formats/pixel-format.ts";

/** How many points of a row, and of a column, share a colour. */
const sharing: Readonly<Record<string, readonly [across: number, down: number]>> = {
  ...{ CS_444: [1, 1], CS_440: [1, 2], CS_422: [2, 1], CS_420: [2, 2], CS_411: [4, 1], CS_410: [4, 4] },
};

type Form = {
  readonly depth: number;
  readonly across: number;
  readonly down: number;
  readonly isRgb: boolean;
  readonly isFullRange: boolean;
  readonly hasAlpha: boolean;
};

const formOf = (format: string): Form => {
  const [across, down] = sharing[chromaOf(format) ?? ""] ?? [1, 1];
  return {
    ...{ depth: bitDepthOf(format) ?? 8, across, down },
    isRgb: colorSpaceOf(format) === "RGB",
    isFullRange: format.startsWith("yuvj"),
    hasAlpha: hasAlpha(format),
  };
};

/**
 * The one of these pixel formats that keeps most of the source's picture; among equals the
 * smallest. Pictures of red, green and blue have no chroma to compare: where no format is of their kind, a deep one gets
 * the first that is as deep. Undefined where the codec's usual format serves as well.
 */
export const nearestFormat = (source: string | undefined, formats: readonly string[]): string | undefined => {
  if (source === undefined) return undefined;
  const from = formOf(source);
  const alike = formats.filter((format) => formOf(format).isRgb === from.isRgb);
  if (alike.length === 0) return from.isRgb && from.depth > 8 ? deepEnough(from.depth, formats) : undefined;
  const costs = alike.map((format) => costOf(from, formOf(format)));
  return alike[costs.indexOf(Math.min(...costs))];
};

const deepEnough = (depth: number, formats: readonly string[]): string | undefined => {
  const depths = formats.map((format) => formOf(format).depth);
  const enough = depths.filter((each) => each >= depth);
  return formats[depths.indexOf(enough.length > 0 ? Math.min(...enough) : Math.max(...depths))];
};

// A loss weighs far more than an addition.
const costOf = (from: Form, to: Form): number =>
  chromaCost(from.across, to.across) +
  chromaCost(from.down, to.down) +
  (to.depth < from.depth ? 20 * (from.depth - to.depth) : to.depth - from.depth) +
  (from.hasAlpha && !to.hasAlpha ? 50 : 0) +
  (to.hasAlpha && !from.hasAlpha ? 10 : 0) +
  (from.isFullRange === to.isFullRange ? 0 : 30);

const chromaCost = (from: number, to: number): number => (to > from ? 100 * (to - from) : 3 * (from - to));
