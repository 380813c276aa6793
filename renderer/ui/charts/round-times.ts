const minute = 60_000;
const steps = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440, 2880, 10_080].map((minutes) => minutes * minute);

/**
 * Round moments within a stretch of time, at most so many: full hours, or round minutes where the stretch is short. Round by
 * the clock that people read: `offset` is what their time is ahead of UTC, in milliseconds.
 */
export const roundTimes = (from: number, to: number, most: number, offset: number): readonly number[] => {
  const step = steps.find((each) => (to - from) / each <= most) ?? Math.ceil((to - from) / most);
  const first = Math.ceil((from + offset) / step) * step - offset;
  const count = Math.max(0, Math.floor((to - first) / step) + 1);
  return Array.from({ length: Math.min(count, most) }, (_, at) => first + at * step);
};

/** What the browser's time is ahead of UTC at a moment. */
export const offsetAt = (moment: number): number => -new Date(moment).getTimezoneOffset() * minute;
