const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** "14:02:11" in local time, 24 hours. */
export const clockTime = (ms: number): string => {
  const date = new Date(ms);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(":");
};

/** "14:02" today, else "21 Nov 14:02"; "–" for no time. */
export const shortTime = (iso: string | null, now: number): string => {
  if (iso === null) return "–";
  const date = new Date(iso);
  const time = `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
  if (new Date(now).toDateString() === date.toDateString()) return time;
  return `${date.getDate()} ${months[date.getMonth()]} ${time}`;
};

/** A sentence from the coordinator, with its times in the form of `shortTime`. */
export const withShortTimes = (sentence: string, now: number): string =>
  sentence.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (iso) => shortTime(iso, now));

/** "0.4 s", "12 s", "24 min", "1 h 12", "3 d". */
export const span = (ms: number): string => {
  if (ms < 0) return "0 s";
  if (ms < minute) return `${Math.floor(ms / 1000)} s`;
  if (ms < hour) return `${Math.floor(ms / minute)} min`;
  if (ms < 2 * day) return `${Math.floor(ms / hour)} h ${twoDigits(Math.floor((ms % hour) / minute))}`;
  return `${Math.floor(ms / day)} d`;
};

/** The time that something has taken: "2:45", "1:02:45". */
export const duration = (ms: number): string => {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const tail = `${twoDigits(seconds % 60)}`;
  return hours > 0 ? `${hours}:${twoDigits(minutes)}:${tail}` : `${minutes}:${tail}`;
};

/** "412 kB", "31.2 MB": decimal units, three digits at most. */
export const bytes = (size: number | null): string => {
  if (size === null) return "–";
  const power = size < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(size) / 3));
  const value = size / 1000 ** power;
  return `${power > 0 && value < 99.95 ? value.toFixed(1) : Math.round(value)} ${units[power]}`;
};

/** "1 task", "3 tasks". */
export const countOf = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

const units = ["B", "kB", "MB", "GB", "TB", "PB"];
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const twoDigits = (value: number): string => String(value).padStart(2, "0");
