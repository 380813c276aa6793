import type { z } from "zod";

/**
 * A parser's options by its own schema. They come from our own compiler, so a mismatch is a bug and is reported as one.
 */
export const readOptions = <Schema extends z.ZodType>(
  schema: Schema,
  given: unknown,
  name: string,
): z.output<Schema> => {
  const read = schema.safeParse(given);
  if (read.success) return read.data;
  throw new Error(`the options of parser "${name}" do not fit: ${read.error.issues[0]?.message ?? "unknown"}`);
};
