import type { AlertSettings } from "../../shared/outbound/alerts.ts";

/** Whether it is now within the quiet hours, which may go past midnight. */
export const isQuiet = ({ quiet, time_zone }: Pick<AlertSettings, "quiet" | "time_zone">, now: number): boolean => {
  if (quiet === null) return false;
  const time = timeOfDay(now, time_zone);
  return quiet.from <= quiet.to ? quiet.from <= time && time < quiet.to : quiet.from <= time || time < quiet.to;
};

/** `22:30`, as clocks show it in this zone. */
const timeOfDay = (now: number, timeZone: string): string =>
  new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(now);
