import { z } from "zod";
import { stepId } from "../steps/step-id.ts";

const brand = z.string().min(1).max(4);

/** Changes boxes at the head of an MP4 or QuickTime file that an earlier step wrote. */
export const mp4BoxesStep = z.strictObject({
  do: z.literal("mp4_boxes"),
  id: stepId,
  of: z.string(),
  changes: z.strictObject({
    /** Compatible brands: more, or in place of the muxer's. */
    brands: z.strictObject({ names: z.array(brand).max(50).readonly(), replaces: z.boolean() }).optional(),
    vendor: z.string().length(4).optional(),
    hasAperture: z.boolean().optional(),
  }),
});
