import type { LendingRules } from "../../shared/lending/lending.ts";
import { minutesToChange, type WallTime } from "../../shared/lending/week-plan.ts";

/** One moment on the three clocks that lending uses. */
export type Moment = {
  /** Wall-clock time, Unix milliseconds. */
  readonly now: number;
  /** Monotonic; notices and holds are measured by it. */
  readonly monotonic: number;
  readonly wall: WallTime;
};

const minute = 60_000;

/** When the weekly schedule changes next, Unix milliseconds; null if it never changes. */
export const planChange = ({ week }: LendingRules, { now, wall }: Moment): number | null => {
  const minutes = minutesToChange(week, wall);
  // From the start of this minute, so that the change falls on the hour.
  return minutes === undefined ? null : now - (now % minute) + minutes * minute;
};

/** 18:00, with its day if that is not today. */
export const clockTime = ({ now, wall }: Moment, at: number): string => {
  const minutes = wall.minute + Math.round((at - (now - (now % minute))) / minute);
  const clock = `${pad(Math.floor((minutes % 1440) / 60))}:${pad(minutes % 60)}`;
  const days = Math.floor(minutes / 1440);
  if (days === 0) return clock;
  return days === 1 ? `${clock} tomorrow` : `${clock} on ${dayNames[(wall.day + days) % 7]}`;
};

const pad = (value: number): string => String(value).padStart(2, "0");
const dayNames = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/** A moment on this computer's own clock. */
export const toWallTime = (now: number): WallTime => {
  const date = new Date(now);
  return { day: (date.getDay() + 6) % 7, minute: date.getHours() * 60 + date.getMinutes() };
};

/** Such as 2026-03-12, by this computer's own clock. */
export const dayOf = (now: number): string => {
  const date = new Date(now);
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
};
