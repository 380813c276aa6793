import { z } from "zod";
import { variableName, variableValue } from "../../shared/model/variables.ts";

/** A script's result: variables for later elements, and its log. */
export const scriptOutcome = z.strictObject({
  variables: z
    .record(variableName, variableValue)
    .refine((variables) => Object.keys(variables).length <= 100, "must be 100 variables at most"),
  log: z.array(z.string().max(2000)).max(1000),
});
export type ScriptOutcome = z.output<typeof scriptOutcome>;
