import type { z } from "zod";

/** Parses JSON text with the schema; undefined if the text is missing, damaged or does not match. */
export const parseJsonAs = <S extends z.ZodType>(schema: S, text: string | undefined): z.output<S> | undefined => {
  if (text === undefined) return undefined;
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined; // half-written or not JSON: the caller reports it
  }
};
