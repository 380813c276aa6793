import { z } from "zod";
import { verdict } from "../model/verdict.ts";

/** One analysis: its figures, when it found something, and its value over time. */
export const findingSection = z.strictObject({
  title: z.string(),
  figures: z.array(z.tuple([z.string(), z.string()]).readonly()),
  /** Seconds from the beginning: begin and end of each. */
  intervals: z.array(z.tuple([z.number(), z.number()]).readonly()).nullable(),
  curve: z
    .strictObject({ title: z.string(), unit: z.string(), step_sec: z.number(), values: z.array(z.number()) })
    .nullable(),
});
export type FindingSection = z.output<typeof findingSection>;

/** What one task found out of the media, for people. */
export const finding = z.strictObject({
  element_uid: z.string(),
  task_id: z.string(),
  name: z.string(),
  verdicts: z.array(verdict),
  /** How long the media is that was looked at, as far as it is known. */
  seconds: z.number(),
  sections: z.array(findingSection),
});
export type Finding = z.output<typeof finding>;
