import { z } from "zod";
import { AppError } from "../basics/errors.ts";

/** Hours of a week in which a computer may lend: seven texts, Monday first, one character per hour; 1 lends. */
export const weekPlan = z.array(z.string().regex(/^[01]{24}$/, "must be 24 characters 0 or 1")).length(7);
export type WeekPlan = z.output<typeof weekPlan>;

/** A wall-clock moment: Monday is day 0. */
export type WallTime = { readonly day: number; readonly minute: number };

const names: readonly string[] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const hoursInWeek = 7 * 24;

/** Nights and weekends: outside working hours. */
export const nightsAndWeekends: WeekPlan = names.map((_, day) =>
  day < 5 ? `${"1".repeat(8)}${"0".repeat(11)}11111` : "1".repeat(24),
);

export const isPlanned = (plan: WeekPlan, { day, minute }: WallTime): boolean =>
  plan[day]?.[Math.floor(minute / 60)] === "1";

/** Minutes until the schedule changes; undefined if it never changes. */
export const minutesToChange = (plan: WeekPlan, { day, minute }: WallTime): number | undefined => {
  const hours = plan.join("");
  const at = day * 24 + Math.floor(minute / 60);
  for (let ahead = 1; ahead < hoursInWeek; ahead += 1) {
    if (hours[(at + ahead) % hoursInWeek] !== hours[at]) return ahead * 60 - (minute % 60);
  }
  return undefined;
};

/** Parses `mon-fri 19-7, sat, sun`: days or ranges of days, each with clock hours or for the whole day. */
export const parseWeek = (text: string): WeekPlan => {
  const grid = names.map(() => Array.from({ length: 24 }, () => "0"));
  for (const part of text.split(",")) markPart(grid, part.trim().toLowerCase());
  return grid.map((hours) => hours.join(""));
};

const shape = /^([a-z]{3})(?:-([a-z]{3}))?(?:\s+(\d{1,2})(?::00)?-(\d{1,2})(?::00)?)?$/;

const markPart = (grid: string[][], part: string): void => {
  const [, first, last = first, from = "0", to = "24"] = shape.exec(part) ?? [];
  const [begin, end] = [dayOf(first), dayOf(last)];
  const [start, stop] = [Number(from), Number(to)];
  if (begin < 0 || end < 0 || start > 23 || stop > 24 || start === stop) throw unreadable(part);
  for (let day = begin; ; day = (day + 1) % 7) {
    // Hours that end before they begin continue into the next day.
    for (let hour = start; hour < (stop > start ? stop : stop + 24); hour += 1) {
      const row = grid[(day + Math.floor(hour / 24)) % 7];
      if (row) row[hour % 24] = "1";
    }
    if (day === end) return;
  }
};

const dayOf = (name: string | undefined): number => names.indexOf(name ?? "");

const unreadable = (part: string): AppError =>
  new AppError("VALIDATION_FAILED", `Hours are written as in "mon-fri 19-7, sat, sun"; "${part}" cannot be read`);
