import { z } from "zod";
import { stepId } from "./step-id.ts";

/** Removes files and whole folders for good. What is not there any more is no failure. */
export const deleteStep = z.strictObject({
  do: z.literal("delete"),
  id: stepId,
  /** With the size and time that it had when the job looked at it: a file that somebody changed since stays. */
  files: z
    .array(z.strictObject({ uri: z.string(), size: z.number().optional(), modified: z.number().optional() }))
    .max(20_000),
  folders: z.array(z.string()).max(1000).optional(),
});
