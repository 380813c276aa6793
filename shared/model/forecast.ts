import { z } from "zod";

/** When something will happen: an 80 % range; `likely` is the median. */
export const finish = z.strictObject({ from: z.string(), likely: z.string(), to: z.string() });
export type Finish = z.output<typeof finish>;

/** When a job that waits begins, and how many go before it. */
export const turn = z.strictObject({
  /** Its place among the jobs that wait, from 1 on; null: held, or behind more jobs than were counted. */
  place: z.number().int().positive().nullable(),
  /** Null: unknown. */
  start: finish.nullable(),
});
export type Turn = z.output<typeof turn>;

/** The same forecast at a later moment: nothing of it lies in the past. */
export const ahead = ({ from, likely, to }: Finish, now: number): Finish => {
  const notBefore = (time: string) => (Date.parse(time) < now ? new Date(now).toISOString() : time);
  return { from: notBefore(from), likely: notBefore(likely), to: notBefore(to) };
};

/** How many times real time tasks run together; null where none of them says it. */
export const togetherAsFast = (speeds: readonly (number | null | undefined)[]): number | null => {
  const known = speeds.filter((speed) => speed !== undefined && speed !== null);
  return known.length > 0 ? known.reduce((sum, each) => sum + each, 0) : null;
};
