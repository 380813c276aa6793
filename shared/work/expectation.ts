import { z } from "zod";

/** What an output must turn out to be before anyone may see it. Absent fields are not checked. */
export const expectation = z.strictObject({
  video: z
    .strictObject({
      ...{ codec: z.string(), width: z.number().optional(), height: z.number().optional() },
      /** How many pictures, and how far off the file may be. */
      frames: z.strictObject({ count: z.number().int(), tolerance: z.number().int() }).optional(),
    })
    .optional(),
  audio: z.array(z.strictObject({ codec: z.string(), channels: z.number().optional() })).optional(),
  /** Tracks of subtitles. */
  subtitles: z.number().int().optional(),
  /** Seconds, and how far off the file may be. */
  duration: z.strictObject({ seconds: z.number(), tolerance: z.number() }).optional(),
  /** The timecode of the first frame. */
  timecode: z.string().max(20).optional(),
  /** Files at least, for a sequence. */
  files: z.number().int().optional(),
});
export type Expectation = z.output<typeof expectation>;
