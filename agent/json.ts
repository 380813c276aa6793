import type { z } from "zod";

/** JSON text as the schema wants it; undefined for text that is missing, damaged or something else. */
export const parseJsonAs = <S extends z.ZodType>(schema: S, text: string | undefined): z.output<S> | undefined => {
  if (text === undefined) return undefined;
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined; // half written or no JSON at all: the caller says what that means
  }
};
