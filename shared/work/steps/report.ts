import { z } from "zod";
import { stepId } from "./step-id.ts";

/** Writes results as a PDF for people. */
export const reportStep = z.strictObject({
  do: z.literal("report"),
  id: stepId,
  to: z.string(),
  title: z.string().max(2000),
  subject: z.string().max(2000),
  results: z.array(stepId).max(200),
  /** Pictures in the attempt's folder, `name_0.jpg` and on, each from the middle of so many seconds. */
  stills: z.strictObject({ name: stepId, stepSec: z.number().positive() }).optional(),
});
