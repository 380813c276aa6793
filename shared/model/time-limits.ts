import { z } from "zod";

/** How long an attempt may run. Minutes, as people set them. */
const minutes = z.strictObject({
  /** Without any progress. */
  stallMinutes: z.number().positive().max(100_000),
  /** In total. */
  hardMinutes: z.number().positive().max(1_000_000),
});
type Minutes = z.output<typeof minutes>;

/** The settings for an element kind, or for `*`, all others; missing values keep their default. */
export const limitSettings = z.record(z.string().max(100), minutes.partial().strict());
export type LimitSettings = z.output<typeof limitSettings>;

/** Sent with an assignment; milliseconds. */
export const timeLimits = z.strictObject({ stallMs: z.number().positive(), hardMs: z.number().positive() });
export type TimeLimits = z.output<typeof timeLimits>;

/** Probing a file takes seconds; everything else may take a day, as long as it progresses. */
export const defaultLimits: Readonly<Record<string, Minutes>> = {
  "*": { stallMinutes: 30, hardMinutes: 24 * 60 },
  source: { stallMinutes: 10, hardMinutes: 60 },
};

/** The limits for an element's kind: the most specific value wins, a setting before a default. */
export const limitsFor = (kind: string, settings: LimitSettings = {}): TimeLimits => {
  const chosen = { ...defaultLimits["*"], ...settings["*"], ...defaultLimits[kind], ...settings[kind] } as Minutes; // "*" has both
  return { stallMs: chosen.stallMinutes * 60_000, hardMs: chosen.hardMinutes * 60_000 };
};
