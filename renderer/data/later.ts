import { systemClock } from "../../shared/basics/system-clock.ts";

export const inMinutes = (count: number): Date => new Date(systemClock.now() + count * 60_000);

/** The next time that it is 20:00 here. */
export const nextEvening = (): Date => {
  const now = systemClock.now();
  const evening = new Date(now);
  evening.setHours(20, 0, 0, 0);
  if (evening.getTime() <= now) evening.setDate(evening.getDate() + 1);
  return evening;
};
