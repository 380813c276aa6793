import { z } from "zod";
import { stepId } from "../steps/step-id.ts";

const side = z.number().int().min(1).max(65_535);

/** Names the profile of JPEG 2000 in every codestream of this size in an output's files. */
export const codestreamProfileStep = z.strictObject({
  do: z.literal("codestream_profile"),
  id: stepId,
  of: z.string(),
  rsiz: z.number().int().min(0).max(65_535),
  width: side,
  height: side,
});
