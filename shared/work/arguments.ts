import { z } from "zod";

/**
 * Arguments of commands. An argument is text, a reference that only the node can resolve (a path, a value from an
 * earlier step's result), or a mix of both. Each reference inside a text names its context, and the node escapes for
 * it.
 */

/** A relative path without `..`. */
export const partName = z
  .string()
  .max(255)
  .regex(/^(?!\.{0,2}\/)(?!.*\/\.{0,2}(?:\/|$))[^\\\0]+$/, "must be a name or a relative path");

/** A plain file name without characters that a filter's parser interprets. */
export const plainName = z.string().regex(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}$/, "must be a plain file name");

export const reference = z.union([
  z.strictObject({ asset: z.string() }),
  /** For an output with many files: its main file, or another one, which may be a pattern. */
  z.strictObject({ out: z.string(), file: partName.optional() }),
  z.strictObject({ scratch: z.string().regex(/^[a-z0-9_-]{1,64}$/) }),
  /** A file that a `stage` step put into the attempt's folder. */
  z.strictObject({ staged: plainName }),
  /** A number or text from the result of an earlier step. */
  z.strictObject({ result: z.string().min(1).max(200), path: z.array(z.string().max(100)).max(10) }),
]);
export type Reference = z.output<typeof reference>;

/** argument: as it is · filter: the value of a filter option inside a filter graph · tee: one of several files. */
export const referenceContexts = ["argument", "filter", "tee"] as const;

/** Linux takes no longer argument than 128 kB: what is left over is for paths and for letters of several bytes. */
const mostCharacters = 120_000;

const part = z.union([
  z.string().max(mostCharacters),
  z.strictObject({ of: reference, context: z.enum(referenceContexts) }),
]);
export type ArgumentPart = z.output<typeof part>;

/** One argument of a command. */
export const arg = z.union([
  z.string().max(mostCharacters),
  ...reference.options,
  z.strictObject({
    parts: z
      .array(part)
      .min(1)
      .max(5000)
      .refine((parts) => textLength(parts) <= mostCharacters, `must have at most ${mostCharacters} characters of text`),
  }),
]);
export type Arg = z.output<typeof arg>;

const textLength = (parts: readonly ArgumentPart[]): number =>
  parts.reduce((sum, each) => sum + (typeof each === "string" ? each.length : 0), 0);

/** Every reference in an argument. */
export const referencesOf = (word: Arg): Reference[] => {
  if (typeof word === "string") return [];
  if (!("parts" in word)) return [word];
  return word.parts.flatMap((each) => (typeof each === "string" ? [] : [each.of]));
};

/** The argument's text, once its references are resolved. */
export const fillArgument = (word: Arg, textOf: (reference: Reference) => string): string => {
  if (typeof word === "string") return word;
  if (!("parts" in word)) return textOf(word);
  return word.parts
    .map((each) => {
      if (typeof each === "string") return each;
      const text = textOf(each.of);
      return escapes[each.context](text);
    })
    .join("");
};

/** A text as the value of a filter option: ffmpeg parses it twice, first as a graph, then as an option. */
export const escapeFilterValue = (text: string): string => escapeForGraph(escapeForOptions(text));

const escapeForOptions = (text: string) => text.replaceAll(/[\\':\s]/g, "\\$&");
const escapeForGraph = (text: string) => text.replaceAll(/[\\'[\],;\s]/g, "\\$&");

/** A path in the list of files that ffmpeg's tee writes at once. */
const escapeForTee = (text: string): string => text.replaceAll(/[\\'|[\]\s]/g, "\\$&");

const escapes: { readonly [Context in (typeof referenceContexts)[number]]: (text: string) => string } = {
  argument: (text) => text,
  filter: escapeFilterValue,
  tee: escapeForTee,
};
