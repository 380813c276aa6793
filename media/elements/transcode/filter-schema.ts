import { z } from "zod";
import { isObject } from "../../../shared/basics/plain-object.ts";
import { conditions, overrides } from "./track-schema.ts";

/** Where in the pipeline a filter stands. */
const filterOptions = z.looseObject({
  position: z
    .enum(["pre_analyze", "pre_normalize", "post_normalize", "pre_convert", "post_convert", "default"])
    .default("default"),
});

/** A filter as a job has it: what its payload may hold, only the table of filters knows. */
export const filterRequest = z.looseObject({
  kind: z.string(),
  payload: z.looseObject({}),
  options: z.looseObject({ position: z.string().optional() }).optional(),
});
export type FilterRequest = z.output<typeof filterRequest>;

/** One kind of filter and the fields of its payload. */
export const filter = <Kind extends string, Payload extends z.ZodType>(kind: Kind, payload: Payload) =>
  z.looseObject({
    kind: z.literal(kind),
    options: filterOptions.optional(),
    include_conditions: conditions.optional(),
    overrides: overrides.optional(),
    payload,
  });

/** A list of filters. A filter without a kind is of kind `usual`; a payload may be under the name of its kind. */
export const filterList = <Filter extends z.ZodType>(usual: string, one: Filter) =>
  z.array(z.preprocess((value) => prepared(value, usual), one)).max(100);

const prepared = (value: unknown, usual: string): unknown => {
  if (!isObject(value)) return value;
  const { kind = usual, payload = {} } = value;
  const inner = isObject(payload) && typeof kind === "string" && Object.keys(payload).length === 1 && payload[kind];
  return { ...value, kind, payload: isObject(inner) ? inner : payload };
};
