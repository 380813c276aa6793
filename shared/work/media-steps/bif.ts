import { z } from "zod";
import { stepId } from "../steps/step-id.ts";

/** Joins JPEG pictures to one BIF file: those of a pattern in the attempt's folder, or assets in order. */
export const bifStep = z.strictObject({
  do: z.literal("bif"),
  id: stepId,
  to: z.string(),
  from: z.union([
    z.strictObject({ scratch: z.string().regex(/^[a-z0-9_]{1,64}%0\dd$/) }),
    z.strictObject({ assets: z.array(z.string()).min(1).max(20_000) }),
  ]),
  /** Milliseconds between two pictures. */
  multiplier: z.number().int().positive(),
});
