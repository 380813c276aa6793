import { expect, test } from "vitest";
import { ahead, togetherAsFast } from "../../../shared/model/forecast.ts";

const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 14, minute)).toISOString();

test("nothing of a forecast lies in the past", () => {
  const forecast = { from: at(0), likely: at(10), to: at(20) };
  const now = (minute: number) => ahead(forecast, Date.parse(at(minute)));
  expect(now(0)).toEqual(forecast);
  expect(now(5)).toEqual({ ...forecast, from: at(5) });
  expect(now(30)).toEqual({ from: at(30), likely: at(30), to: at(30) });
});

test("tasks are together as fast as all that say it", () => {
  expect(togetherAsFast([1.5, undefined, null, 2])).toBe(3.5);
  expect(togetherAsFast([undefined])).toBeNull();
});
