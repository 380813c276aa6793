import { z } from "zod";
import { type FilterRequest, filter } from "../filter-schema.ts";

type Kinds = readonly { readonly kind: string; readonly payload: z.ZodType }[];

/** The schema of one filter of a table: each kind with its own payload. */
export const oneFilterOf = (kinds: Kinds): z.ZodType<FilterRequest> => {
  const options = kinds.map(({ kind, payload }) => filter(kind, payload));
  // zod wants a list that it can see is not empty, and gives each option's own type, which a table does not have.
  return z.discriminatedUnion("kind", options as never) as unknown as z.ZodType<FilterRequest>;
};
