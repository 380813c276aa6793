import { expect, test } from "vitest";
import { interleave, lineOf, tableOf } from "../../bench/harness.ts";

test("every round runs all legs one after the other, and begins with another one", async () => {
  const order: string[] = [];
  const leg = (name: string) => async (round: number) => {
    order.push(`${name}${round}`);
    return `${name} of ${round}`;
  };
  const rounds = await interleave(3, { farm: leg("f"), bare: leg("b") });
  expect(order).toEqual(["f0", "b0", "b1", "f1", "f2", "b2"]);
  expect(rounds[1]).toEqual({ farm: "f of 1", bare: "b of 1" });
});

test("a missed target is news where it was recorded to be better", () => {
  const known = { "a: wall: xargs": 1.1 };
  const regresses = (median: number, target: number) =>
    lineOf("a", { name: "wall", reference: "xargs", ratios: [median], target }, known).isRegression;
  expect([regresses(1.2, 1), regresses(1.3, 1), regresses(1.3, 1.3)]).toEqual([false, true, false]);
  expect(lineOf("b", { name: "wall", reference: "xargs", ratios: [9], target: 1 }, known).isRegression).toBe(false);
});

const measure = { name: "wall", reference: "xargs", ratios: [1.5, 1, 1.25] };

test("a target is met by the median, whatever single pairs say", () => {
  expect(lineOf("farm-overhead", { ...measure, target: 1.25 })).toEqual({
    bench: "farm-overhead",
    measure: "wall",
    reference: "xargs",
    pairs: 3,
    median: 1.25,
    quartiles: [1.125, 1.375],
    min: 1,
    max: 1.5,
    ratios: [1.5, 1, 1.25],
    target: 1.25,
    isMet: true,
    baseline: null,
    isRegression: false,
  });
  expect(lineOf("farm-overhead", { ...measure, target: 1.2 }).isMet).toBe(false);
  expect(lineOf("farm-overhead", measure).isMet).toBeNull();
});

test("the table shows the median, the spread and the verdict of every measure", () => {
  const lines = [lineOf("a", { ...measure, target: 1 }), lineOf("long", { ...measure, ratios: [12, 12.34] })];
  expect(tableOf(lines).split("\n")).toEqual([
    "bench  measure  against  pairs  median  quartiles     min..max      target  baseline",
    "a      wall     xargs    3      1.250   1.125..1.375  1.000..1.500  <= 1    -         missed, no baseline",
    "long   wall     xargs    2      12.2    12.1..12.3    12.0..12.3    -       -",
  ]);
});
