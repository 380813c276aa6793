import { type JsonObject, rounded } from "./analysis.ts";

/** Running statistics over all frames with Welford's algorithm, which needs no second pass and keeps precision. */
export type Statistics = {
  add(value: number, at: { readonly number: number; readonly seconds: number }): void;
  count(): number;
  /** `mean`, `stddev` (of the population), `min` and `max` with frame and time of their first occurrence. */
  figures(): JsonObject;
};

export const createStatistics = (): Statistics => {
  let [count, mean, squares] = [0, 0, 0];
  let min = { value: Number.POSITIVE_INFINITY, number: 0, seconds: 0 };
  let max = { value: Number.NEGATIVE_INFINITY, number: 0, seconds: 0 };
  return {
    add: (value, { number, seconds }) => {
      if (!Number.isFinite(value)) return;
      count += 1;
      const before = value - mean;
      mean += before / count;
      squares += before * (value - mean);
      if (value < min.value) min = { value, number, seconds };
      if (value > max.value) max = { value, number, seconds };
    },
    count: () => count,
    figures: (): JsonObject => {
      if (count === 0) return {};
      return {
        mean: rounded(mean),
        stddev: rounded(Math.sqrt(squares / count)),
        min: rounded(min.value),
        min_pos_frame: min.number,
        min_pos_sec: rounded(min.seconds),
        max: rounded(max.value),
        max_pos_frame: max.number,
        max_pos_sec: rounded(max.seconds),
      };
    },
  };
};
