import { z } from "zod";
import { stepId } from "../steps/step-id.ts";

/** Gives the clock of a transport stream that an earlier step wrote packets of their own number. */
export const ownClockStep = z.strictObject({
  do: z.literal("own_clock"),
  id: stepId,
  of: z.string(),
  pid: z.number().int().min(32).max(8186),
  /** Bits a second of a stream that must keep its rate. */
  bitRate: z.number().positive().optional(),
});

const milliseconds = z.number().min(1).max(10_000);

/** Puts clock references and tables into a transport stream that an earlier step wrote, at most so far apart. */
export const paceTransportStep = z.strictObject({
  do: z.literal("pace_transport"),
  id: stepId,
  of: z.string(),
  /** One file, one whose packets have times of arrival (`.m2ts`), a folder of segments, or a playlist with its segments. */
  form: z.enum(["stream", "timed", "segments", "playlist"]),
  clock: milliseconds,
  tables: milliseconds,
});
