import { z } from "zod";
import { listOf, looseBoolean, oneOrMany, openObject } from "../../../shared/basics/loose-values.ts";
import { expression, findExpressionError } from "../../expressions/field.ts";

/** `audio[1]`, `video`: the part of the source that a thing needs. */
export const sourceCondition = listOf(
  z.string().regex(/^(video|audio|subtitle|timecode)(\[\d{1,3}\])?$/, "names no track such as video or audio[1]"),
  100,
);

/** Expressions that must all hold for a thing to be made. */
export const conditions = listOf(expression(), 100);

/** Fields of the same object by their names, each with an expression that gives its value, or the fields below it. */
export const overrides = openObject({}).superRefine((fields, context) => {
  for (const { path, message } of faultsOf(fields)) context.addIssue({ code: "custom", path: [...path], message });
});

type Fault = { readonly path: readonly PropertyKey[]; readonly message: string };

const faultsOf = (fields: object, path: readonly PropertyKey[] = []): Fault[] =>
  Object.entries(fields).flatMap(([name, value]): Fault[] => {
    const at = [...path, name];
    if (typeof value === "object" && value !== null && at.length < 8) return faultsOf(value, at);
    const message = typeof value === "string" ? findExpressionError(value) : undefined;
    return message === undefined ? [] : [{ path: at, message }];
  });

/** The conditions under which a thing is made. */
export const included = {
  include_if_source_has: sourceCondition.optional(),
  include_conditions: conditions.optional(),
};

/** Fields of every track of a target besides its making: its conditions, and its layer in a manifest. */
export const trackFields = {
  ...included,
  verify: looseBoolean().default(true),
  track_group_id: z.string().max(200).optional(),
  layer_id: z.string().max(200).optional(),
  layer_affinities: oneOrMany(z.string().max(200)).optional(),
};
