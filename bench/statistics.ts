/** The value below which `share` (0 to 1) of the numbers lie, between two of them where it falls there. */
export const quantile = (values: readonly number[], share: number): number => {
  if (values.length === 0) throw new Error("No numbers, no quantile");
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const [low = Number.NaN, high = low] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return low + (high - low) * (at - Math.floor(at));
};

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** What a list of ratios says: its middle, and how far the others lie from it. */
export type Summary = {
  readonly median: number;
  /** Half of the values lie between these two. */
  readonly quartiles: readonly [number, number];
  readonly min: number;
  readonly max: number;
};

export const summarise = (values: readonly number[]): Summary => ({
  median: median(values),
  quartiles: [quantile(values, 0.25), quantile(values, 0.75)],
  min: Math.min(...values),
  max: Math.max(...values),
});
