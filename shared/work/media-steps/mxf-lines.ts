import { z } from "zod";
import { stepId } from "../steps/step-id.ts";

const line = z.number().int().min(0).max(2000);

/** Says in the header of an MXF file that an earlier step wrote which lines the fields of its picture begin with. */
export const mxfLinesStep = z.strictObject({
  do: z.literal("mxf_lines"),
  id: stepId,
  of: z.string(),
  first: line,
  second: line,
});
