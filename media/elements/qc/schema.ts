import { z } from "zod";
import { listOf, optionalObject } from "../../../shared/basics/loose-values.ts";
import { expression } from "../../expressions/field.ts";
import { report } from "../report/schema.ts";

const text = z.string().max(4000).optional();
const checks = listOf(
  z.looseObject({ condition: expression(), name: text, message_pass: text, message_fail: text }),
  1000,
);

/** `conditions` check the source, `tests` the measurements; all of them must hold. */
export const qcPayload = z.looseObject({
  conditions: optionalObject({ pass: checks.optional(), fail: checks.optional(), warn: checks.optional() }),
  tests: listOf(z.looseObject({ name: text, conditions: checks }), 1000).optional(),
  report: report.optional(),
});
export type QcPayload = z.output<typeof qcPayload>;
