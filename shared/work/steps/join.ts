import { z } from "zod";
import { stepId } from "./step-id.ts";

/** Lists files of one stream that play one after the other, for a later ffmpeg step. */
export const joinStep = z.strictObject({
  do: z.literal("join"),
  id: stepId,
  /** The list's name in the attempt's folder. */
  to: z.string().regex(/^[a-z0-9_-]{1,64}$/),
  /** How long each of them lasts: at most six decimals. */
  files: z
    .array(z.strictObject({ asset: z.string(), seconds: z.string().regex(/^\d{1,9}(\.\d{1,6})?$/) }))
    .min(1)
    .max(1000),
});
