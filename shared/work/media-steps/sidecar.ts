import { z } from "zod";
import { stepId } from "../steps/step-id.ts";

/** Writes a text about a file that an earlier step made, with the file's MD5 checksum between its two parts. */
export const sidecarStep = z.strictObject({
  do: z.literal("sidecar"),
  id: stepId,
  /** The output that it is about. */
  of: z.string(),
  to: z.string(),
  before: z.string().max(200_000),
  after: z.string().max(200_000),
});
