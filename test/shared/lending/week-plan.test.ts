import { expect, test } from "vitest";
import { isPlanned, minutesToChange, nightsAndWeekends, parseWeek } from "../../../shared/lending/week-plan.ts";

const none = "0".repeat(24);

test("days, ranges of days and hours over midnight are read into a grid of hours", () => {
  expect(parseWeek("mon-tue 19-7, sun")).toEqual([
    `${"0".repeat(19)}11111`,
    `1111111${"0".repeat(12)}11111`,
    `1111111${"0".repeat(17)}`,
    none,
    none,
    none,
    "1".repeat(24),
  ]);
});

test("a range of days may go over the end of the week", () => {
  expect(parseWeek("Sat-Mon 8:00-9:00").map((hours) => hours.includes("1"))).toEqual([
    true,
    false,
    false,
    false,
    false,
    true,
    true,
  ]);
});

test.each(["", "someday 8-9", "mon 8-8", "mon 25-3", "mon-xyz", "mon 8-30"])('"%s" is refused by its words', (text) => {
  expect(() => parseWeek(text)).toThrow(`"${text.trim()}" cannot be read`);
});

test("the usual plan lends at night and at weekends", () => {
  const at = (day: number, hour: number) => isPlanned(nightsAndWeekends, { day, minute: hour * 60 });
  expect([at(0, 7), at(0, 8), at(0, 18), at(0, 19), at(5, 12)]).toEqual([true, false, false, true, true]);
});

test("the next change is found over the end of the week, and none where there is none", () => {
  expect(minutesToChange(nightsAndWeekends, { day: 0, minute: 7 * 60 + 45 })).toBe(15);
  expect(minutesToChange(nightsAndWeekends, { day: 4, minute: 19 * 60 })).toBe((5 + 48 + 8) * 60);
  expect(minutesToChange(parseWeek("mon-sun"), { day: 3, minute: 0 })).toBeUndefined();
});
