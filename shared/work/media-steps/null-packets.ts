import { z } from "zod";
import { stepId } from "../steps/step-id.ts";

/** Makes null packets of those with this number in a transport stream that an earlier step wrote. */
export const nullPacketsStep = z.strictObject({
  do: z.literal("null_packets"),
  id: stepId,
  of: z.string(),
  pid: z.number().int().min(0).max(8190),
});
