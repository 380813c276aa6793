import { expect, test } from "vitest";
import { roundTimes } from "../../../../renderer/ui/charts/round-times.ts";

const at = (time: string) => Date.parse(`2026-11-21T${time}Z`);
const words = (times: readonly number[]) => times.map((time) => new Date(time).toISOString().slice(11, 16)).join(" ");

test.each([
  ["14:23", "14:40", 4, "14:25 14:30 14:35 14:40"],
  ["14:23", "16:50", 3, "15:00 16:00"],
  ["02:23", "14:23", 4, "03:00 06:00 09:00 12:00"],
  ["14:23", "14:23", 3, "14:23"],
])("from %s to %s at most %i times are round ones: %s", (from, to, most, expected) => {
  expect(words(roundTimes(at(from), at(to), most, 0))).toBe(expected);
});

test("times are round where people are, also half an hour beside full hours", () => {
  const india = 5.5 * 3_600_000;
  expect(words(roundTimes(at("09:10"), at("12:20"), 4, india))).toBe("09:30 10:30 11:30");
});
