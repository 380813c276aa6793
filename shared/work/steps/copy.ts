import { z } from "zod";
import { stepId } from "./step-id.ts";

/** Copies files from any storage. */
export const copyStep = z.strictObject({
  do: z.literal("copy"),
  id: stepId,
  /** Each output with the assets whose bytes it contains, one after the other. */
  files: z.array(z.strictObject({ from: z.array(z.string()).min(1).max(10_000), to: z.string() })).max(10_000),
  /** Maximum bytes per second, for all files together. */
  throttle: z.number().int().positive().optional(),
  /** Files copied in parallel; default one. */
  concurrency: z.number().int().positive().max(1000).optional(),
});
