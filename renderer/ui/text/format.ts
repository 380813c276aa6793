import { t } from "@lingui/core/macro";
import { locale } from "../../language/index.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const timeFormat = (parts: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat(locale, { hourCycle: "h23", ...parts });
  return (ms: number): string => format.format(ms);
};

/** More times than long lists show at once. */
const mostKnown = 5000;

/** Formats each minute once: lists write the same times again with every frame and every event. */
const byMinute = (format: (ms: number) => string): ((ms: number) => string) => {
  const known = new Map<number, string>();
  return (ms) => {
    const key = Math.floor(ms / minute);
    const text = known.get(key) ?? format(ms);
    if (known.size >= mostKnown) known.clear();
    known.set(key, text);
    return text;
  };
};

/** "14:02:11" in local time, 24 hours. */
export const clockTime = timeFormat({ hour: "2-digit", minute: "2-digit", second: "2-digit" });
/** "14:02". */
export const minuteTime = byMinute(timeFormat({ hour: "2-digit", minute: "2-digit" }));
/** "Thu, 12 March 14:32", as the language writes it. */
export const dayAndTime = timeFormat({
  ...{ weekday: "short", day: "numeric", month: "long" },
  ...{ hour: "2-digit", minute: "2-digit" },
});
const monthDay = byMinute(timeFormat({ day: "numeric", month: "short" }));
const weekDay = timeFormat({ weekday: "short" });

/** From one midnight to the next, as clocks here show it. */
let today = { from: 0, to: 0 };

const isToday = (ms: number, now: number): boolean => {
  if (now < today.from || now >= today.to) {
    const date = new Date(now);
    const midnight = (days: number) => new Date(date.getFullYear(), date.getMonth(), date.getDate() + days).getTime();
    today = { from: midnight(0), to: midnight(1) };
  }
  return ms >= today.from && ms < today.to;
};

/** "21 Nov"; undefined for today. */
export const otherDay = (iso: string, now: number): string | undefined => {
  const ms = Date.parse(iso);
  return isToday(ms, now) ? undefined : monthDay(ms);
};

/** "Tue" within the next six days, else as `otherDay`; undefined for today. */
export const comingDay = (iso: string, now: number): string | undefined => {
  const ahead = Date.parse(iso) - now;
  return ahead > 0 && ahead < 6 * day && otherDay(iso, now) ? weekDay(Date.parse(iso)) : otherDay(iso, now);
};

/** "14:02" today, "Tue 14:02" within the next six days, else "21 Nov 14:02"; "–" for no time. */
export const shortTime = (iso: string | null, now: number): string => {
  if (iso === null) return "–";
  const time = minuteTime(Date.parse(iso));
  const onDay = comingDay(iso, now);
  return onDay === undefined ? time : `${onDay} ${time}`;
};

/** A round time on an axis, in few letters: "14:00", and "Tue" or "21 Nov" where that day begins. */
export const axisTime = (ms: number, now: number): string => {
  const date = new Date(ms);
  const isMidnight = date.getHours() + date.getMinutes() === 0;
  return (isMidnight ? comingDay(date.toISOString(), now) : undefined) ?? minuteTime(ms);
};

/** A sentence from the coordinator, with its times in the form of `shortTime`. */
export const withShortTimes = (sentence: string, now: number): string =>
  sentence.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (iso) => shortTime(iso, now));

/** "1,234", or with so many digits behind the point: "0.50". */
export const number = (value: number, digits?: number): string => numberFormat(digits).format(value);

// Making a format takes longer than drawing a cell, so each one is made once.
const numberFormats = new Map<number | undefined, Intl.NumberFormat>();

const numberFormat = (digits: number | undefined): Intl.NumberFormat => {
  const known = numberFormats.get(digits);
  if (known) return known;
  const fixed = digits === undefined ? {} : { minimumFractionDigits: digits, maximumFractionDigits: digits };
  const made = new Intl.NumberFormat(locale, fixed);
  numberFormats.set(digits, made);
  return made;
};

/** "44 %". */
export const percentage = (value: number): string => t`${number(Math.floor(value))} %`;

/** "0 s", "12 s", "24 min", "1 h 12", "3 d". */
export const span = (ms: number): string => {
  if (ms < minute) return t`${number(Math.max(0, Math.floor(ms / 1000)))} s`;
  if (ms < hour) return t`${number(Math.floor(ms / minute))} min`;
  if (ms < 2 * day) return t`${number(Math.floor(ms / hour))} h ${twoDigits(Math.floor((ms % hour) / minute))}`;
  return t`${number(Math.floor(ms / day))} d`;
};

/** The time that something has taken: "2:45", "1:02:45". */
export const duration = (ms: number): string => {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const tail = `${twoDigits(seconds % 60)}`;
  return hours > 0 ? `${hours}:${twoDigits(minutes)}:${tail}` : `${minutes}:${tail}`;
};

/** The time that work took: as `duration`, but below a second "0.2 s". */
export const timeTaken = (ms: number): string =>
  ms < 1000 ? t`${number(Math.max(0.1, ms / 1000), 1)} s` : duration(ms);

/** "412 kB", "31.2 MB": decimal units, three digits at most. */
export const bytes = (size: number | null): string => {
  if (size === null) return "–";
  const power = size < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(size) / 3));
  const value = size / 1000 ** power;
  const inUnit = units[power] ?? String;
  return inUnit(number(value, power > 0 && value < 99.95 ? 1 : 0));
};

const units: readonly ((amount: string) => string)[] = [
  (amount) => t`${amount} B`,
  (amount) => t`${amount} kB`,
  (amount) => t`${amount} MB`,
  (amount) => t`${amount} GB`,
  (amount) => t`${amount} TB`,
  (amount) => t`${amount} PB`,
];
const twoDigits = (value: number): string => String(value).padStart(2, "0");

const lists = new Intl.ListFormat(locale, { type: "conjunction" });
const choices = new Intl.ListFormat(locale, { type: "disjunction" });

/** "a, b and c". */
export const allOf = (items: readonly string[]): string => lists.format(items);
/** "a, b or c". */
export const oneOf = (items: readonly string[]): string => choices.format(items);
