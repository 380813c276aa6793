import { z } from "zod";
import { stepId } from "./step-id.ts";

/** Writes results, merged as parts of one whole, as a JSON file. */
export const documentStep = z.strictObject({
  do: z.literal("document"),
  id: stepId,
  to: z.string(),
  results: z.array(stepId).min(1).max(200),
});
