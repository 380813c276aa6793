import { z } from "zod";

const count = z.number().int().nonnegative();

/** What one watched folder of a job saw, took, and waits for. */
export const watchView = z.strictObject({
  element_uid: z.string(),
  folder: z.string(),
  interval_sec: z.number(),
  /** Whether it goes on. */
  is_watching: z.boolean(),
  /** What the last look found, or why it found nothing. */
  summary: z.string(),
  last_look: z.string().nullable(),
  next_look: z.string().nullable(),
  /** Files that lay there before, that began jobs, that begin none, and that may still grow. */
  counts: z.strictObject({ existing: count, taken: count, refused: count, waiting: count }),
  /** The first of those that may still grow. */
  waiting: z.array(z.strictObject({ uri: z.string(), size: z.number(), why: z.string() })),
  /** The latest first; `job_id` is null for a file that began none. */
  files: z.array(
    z.strictObject({
      uri: z.string(),
      taken: z.string(),
      job_id: z.string().nullable(),
      problem: z.string().nullable(),
    }),
  ),
});
export type WatchView = z.output<typeof watchView>;
