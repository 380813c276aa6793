import { z } from "zod";

/** The maximum number of splice points of one target. */
export const maxSplicePoints = 10_000;

const ticks = z.number().int();

/** A section to send. Times are ticks of 90 kHz from the start of the picture. */
export const splicePoint = z.strictObject({
  /** When it is sent. */
  at: ticks,
  /** When the splice happens. Absent: when the section arrives. */
  splice: ticks.optional(),
  /** Its bytes as hexadecimal digits; its times count from the start of the picture too. */
  section: z
    .string()
    .regex(/^(?:[0-9a-f]{2})+$/)
    .max(8192),
});
export type SplicePoint = z.output<typeof splicePoint>;

/** The moments at which a decoder needs a key frame. */
export const momentsOf = (points: readonly SplicePoint[]): number[] =>
  [...new Set(points.map(({ at, splice }) => splice ?? at))].sort((a, b) => a - b);
