import { z } from "zod";
import { stepId } from "./step-id.ts";

/** Deletes files and whole folders. Missing ones are no failure. */
export const deleteStep = z.strictObject({
  do: z.literal("delete"),
  id: stepId,
  /** With the size and time at the probe: a file that was changed since stays. */
  files: z
    .array(z.strictObject({ uri: z.string(), size: z.number().optional(), modified: z.number().optional() }))
    .max(20_000),
  folders: z.array(z.string()).max(1000).optional(),
});
