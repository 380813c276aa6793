import { z } from "zod";
import { variableName } from "../../model/variables.ts";
import { stepId } from "./step-id.ts";

/** Runs a job's own JavaScript in a sandbox that has only the language and its input. */
export const javascriptStep = z.strictObject({
  do: z.literal("javascript"),
  id: stepId,
  code: z.string().max(64_000),
  /** Its input, as JSON. */
  input: z.string().max(1_000_000),
  /** The variables it may set. */
  variables: z.array(variableName).max(100),
  timeoutMs: z.number().int().min(1).max(300_000),
  memoryBytes: z
    .number()
    .int()
    .min(1024 * 1024)
    .max(512 * 1024 * 1024),
});
