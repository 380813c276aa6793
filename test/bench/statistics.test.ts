import { expect, test } from "vitest";
import { median, quantile, summarise } from "../../bench/statistics.ts";

test("the median is the middle number, or lies between the middle two", () => {
  expect([median([9, 1, 5]), median([4, 1, 3, 2]), median([7])]).toEqual([5, 2.5, 7]);
});

test("a quantile lies between two numbers where it falls there, and the ends are the ends", () => {
  const numbers = [10, 20, 30, 40, 50];
  expect([0, 0.25, 0.3, 0.99, 1].map((share) => quantile(numbers, share))).toEqual([10, 20, 22, 49.6, 50]);
});

test("no numbers have no quantile", () => {
  expect(() => quantile([], 0.5)).toThrow("No numbers, no quantile");
});

test("a summary leaves the numbers as they were", () => {
  const ratios = [1.2, 1.0, 1.1, 3.0, 1.3];
  expect(summarise(ratios)).toEqual({ median: 1.2, quartiles: [1.1, 1.3], min: 1.0, max: 3.0 });
  expect(ratios).toEqual([1.2, 1.0, 1.1, 3.0, 1.3]);
});
