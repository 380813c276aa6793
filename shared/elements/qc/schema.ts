import { z } from "zod";
import { expression } from "../../expressions/field.ts";
import { report } from "../analyze/report-schema.ts";

const text = z.string().max(4000).optional();
const checks = z
  .array(z.looseObject({ condition: expression(), name: text, message_pass: text, message_fail: text }))
  .max(1000);

/** `conditions` check the source, `tests` the measurements; all of them must hold. */
export const qcPayload = z.looseObject({
  conditions: z.looseObject({ pass: checks.optional(), fail: checks.optional(), warn: checks.optional() }).optional(),
  tests: z
    .array(z.looseObject({ name: text, conditions: checks }))
    .max(1000)
    .optional(),
  report: report.optional(),
});
export type QcPayload = z.output<typeof qcPayload>;
