import { z } from "zod";

/** The outcome of one condition of a qc element. */
export const verdict = z.strictObject({
  name: z.string().max(4000).optional(),
  condition: z.string().max(4000),
  outcome: z.enum(["passed", "failed", "warning"]),
  message: z.string().max(8000),
});
export type Verdict = z.output<typeof verdict>;

export const verdicts = z.array(verdict).max(5000);
