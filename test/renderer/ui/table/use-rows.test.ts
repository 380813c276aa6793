import { expect, test } from "vitest";
import { rowsInSlots } from "../../../../renderer/ui/table/use-rows.ts";

const indexesOf = (first: number, settled: number) => rowsInSlots(first, 4, settled).map(({ index }) => index);
const slotsOf = (first: number, settled: number) => rowsInSlots(first, 4, settled).map(({ slot }) => slot);

test("elements of a list at rest have the order of their rows", () => {
  expect(indexesOf(0, 0)).toEqual([0, 1, 2, 3]);
  expect(indexesOf(10, 10)).toEqual([10, 11, 12, 13]);
});

test("while the list scrolls down or up, no element changes its place, and each row is in one of them", () => {
  for (const first of [7, 8, 9, 11, 13, 40]) {
    expect(slotsOf(first, 10)).toEqual(slotsOf(10, 10));
    expect(indexesOf(first, 10).toSorted((a, b) => a - b)).toEqual([first, first + 1, first + 2, first + 3]);
  }
});

test("a row that stays in sight keeps its element", () => {
  const elementOf = (first: number, row: number) => rowsInSlots(first, 4, 10).find(({ index }) => index === row)?.slot;
  expect(elementOf(10, 12)).toBe(elementOf(12, 12));
  expect(elementOf(10, 11)).toBe(elementOf(8, 11));
});

test("an empty list has no elements", () => {
  expect(rowsInSlots(0, 0, 0)).toEqual([]);
});
