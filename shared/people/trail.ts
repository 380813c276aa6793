import { z } from "zod";

/** A line of the audit. Its hash is SHA-256 of the line before's, a line feed, and `[id, at, who, …, about]` as JSON, `at` in milliseconds. */
export const trailLine = z.strictObject({
  /** Counts up from 1 without gaps. */
  id: z.number().int(),
  at: z.iso.datetime(),
  who: z.string(),
  /** From where. */
  origin: z.string(),
  /** The name of a route, or of what else happened. */
  action: z.string(),
  /** `done`, or the code of the refusal. */
  outcome: z.string(),
  /** `name=value`, separated by spaces. */
  about: z.string(),
  hash: z.string(),
});
export type TrailLine = z.output<typeof trailLine>;

export const trailOutcomes = ["done", "refused"] as const;

export const trailCheck = z.strictObject({
  lines: z.number().int(),
  first: z.number().int().nullable(),
  last: z.number().int().nullable(),
  /** The first thing that is wrong with the chain; null if nothing is. */
  problem: z.string().nullable(),
});
