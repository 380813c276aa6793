import { z } from "zod";
import { looseNumber } from "../../../shared/basics/loose-values.ts";
import { variableName } from "../../../shared/model/variables.ts";

/** Our own: a few lines of JavaScript that read findings, set variables, and choose a branch. */
export const javascript = z.looseObject({
  code: z.string().min(1).max(64_000),
  /** Definitions of the job that the script may set for later elements. */
  variables: z.array(variableName).max(100).default([]),
  timeout_sec: looseNumber(0.1, 300).default(10),
  memory_mb: looseNumber(1, 512).default(64),
});
export type JavascriptPayload = z.output<typeof javascript>;
