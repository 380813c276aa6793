import { expect, test } from "vitest";
import { nextTryOf, type Patience } from "../../../coordinator/outbound/patience.ts";

const patience: Patience = { waits: [10, 100], giveUpAfterMs: 1000, spread: 0.2 };

test("waits grow, the last one stays, and chance spreads them", () => {
  const next = (tries: number, chance: number) => nextTryOf({ tries, since: 0 }, 500, patience, chance);
  expect([0, 1, 2, 9].map((tries) => next(tries, 0.5))).toEqual([510, 600, 600, 600]);
  expect([0, 1].map((chance) => next(1, chance))).toEqual([580, 620]);
});

test("what would be tried too late is given up", () => {
  expect(nextTryOf({ tries: 5, since: 0 }, 900, patience, 0.5)).toBe(1000);
  expect(nextTryOf({ tries: 5, since: 0 }, 901, patience, 0.5)).toBeUndefined();
});

test("a receiver makes the wait longer, up to the longest, and never shorter", () => {
  const next = (askedMs: number, tries = 0, chance = 0) => nextTryOf({ tries, since: 0, askedMs }, 0, patience, chance);
  expect([50, 100, 1e9].map((asked) => next(asked))).toEqual([50, 100, 100]);
  expect([next(50, 0, 1), next(1, 0, 0.5), next(1, 1, 0.5)]).toEqual([60, 10, 100]);
});
