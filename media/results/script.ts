import { z } from "zod";

export const variableName = z.string().regex(/^[A-Za-z0-9_.-]{1,200}$/, "must be the name of a definition");
export const variableValue = z.union([z.string().max(16_000), z.number(), z.boolean()]);
export type VariableValue = z.output<typeof variableValue>;

/** A script's result: variables for later elements, and its log. */
export const scriptOutcome = z.strictObject({
  variables: z
    .record(variableName, variableValue)
    .refine((variables) => Object.keys(variables).length <= 100, "must be 100 variables at most"),
  log: z.array(z.string().max(2000)).max(1000),
});
export type ScriptOutcome = z.output<typeof scriptOutcome>;
