import { z } from "zod";
import { rational } from "../../basics/rational.ts";
import { stepId } from "../steps/step-id.ts";

const scratchName = z.string().regex(/^[a-z0-9_-]{1,64}$/);

/** Puts closed captions into an H.264 stream of single small pictures in the attempt's folder. */
export const captionsStep = z.strictObject({
  do: z.literal("captions"),
  id: stepId,
  from: scratchName,
  to: scratchName,
  /** Pictures a second. */
  rate: rational,
  /** The texts are services of CEA-708 as well. */
  asServices: z.literal(true).optional(),
  /**
   * Files of captions, the field that each goes to, and its milliseconds at which the pictures begin. `clock` is what the
   * media's first timecode shows, for files in timecode.
   */
  tracks: z
    .array(
      z.strictObject({
        ...{ asset: z.string(), field: z.literal([1, 2]), from: z.number(), to: z.number().optional() },
        clock: z.number().optional(),
        shown: z.number().optional(),
      }),
    )
    .min(1)
    .max(2),
});
