/** `12 s`, `5 min`, `3.2 h`, `4 days`. */
export const durationText = (ms: number): string => {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${(seconds / 3600).toFixed(1)} h` : `${Math.round(seconds / 86_400)} days`;
};

/** How long something took, or has taken so far. */
export const tookText = (start: string | null | undefined, end: string | null | undefined, now: number): string =>
  start ? durationText((end ? Date.parse(end) : now) - Date.parse(start)) : "";

export const agoText = (time: string, now: number): string => `${durationText(now - Date.parse(time))} ago`;

/** "14:02:11" by this machine's clock, or "2026-11-21 14:02:11" on another day. */
const clockText = (time: string, now: number): string => {
  const at = new Date(time);
  const day = [at.getFullYear(), twoDigits(at.getMonth() + 1), twoDigits(at.getDate())].join("-");
  const clock = [at.getHours(), at.getMinutes(), at.getSeconds()].map(twoDigits).join(":");
  return at.toDateString() === new Date(now).toDateString() ? clock : `${day} ${clock}`;
};

const twoDigits = (value: number): string => String(value).padStart(2, "0");

/** A sentence of the coordinator, with its instants as a clock on the wall shows them. */
export const withClockTimes = (sentence: string, now: number): string =>
  sentence.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) => clockText(time, now));
