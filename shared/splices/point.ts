import { z } from "zod";

/** The most points of one target. */
export const mostPoints = 10_000;

const ticks = z.number().int();

/** One section to be sent: when it is sent, when the splice is, and its bytes. Ticks of 90 kHz from zero seconds. */
export const splicePoint = z.strictObject({
  at: ticks,
  /** Absent: at once. */
  splice: ticks.optional(),
  /** Its stamps count from zero seconds too. */
  section: z
    .string()
    .regex(/^(?:[0-9a-f]{2})+$/)
    .max(8192),
});
export type SplicePoint = z.output<typeof splicePoint>;

/** The moments at which a decoder needs a key frame. */
export const momentsOf = (points: readonly SplicePoint[]): number[] =>
  [...new Set(points.map(({ at, splice }) => splice ?? at))].sort((a, b) => a - b);

export const hexOf = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

export const bytesOfHex = (text: string): Uint8Array =>
  Uint8Array.from({ length: text.length / 2 }, (_, index) => Number.parseInt(text.slice(index * 2, index * 2 + 2), 16));
