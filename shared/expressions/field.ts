import { z } from "zod";
import { numeric } from "../loose.ts";
import { ExpressionError, withCaret } from "./expression-error.ts";
import { expressionLimits, parseExpression } from "./parser.ts";

/** Schemas of fields that take expressions, with the words that they know beside them. */
const fields = new WeakMap<z.core.$ZodType, { readonly words: RegExp | undefined }>();

/** What a schema that was made here says of its field; undefined for every other schema. */
export const expressionField = (schema: z.core.$ZodType) => fields.get(schema);

/** Why a text is not an expression, with a caret under the place; undefined where it is one. */
export const faultOfExpression = (text: string): string | undefined => {
  try {
    parseExpression(text);
    return undefined;
  } catch (problem) {
    if (problem instanceof ExpressionError) return `is not an expression: ${withCaret(text, problem)}`;
    throw problem;
  }
};

/** A text that must parse as an expression. It stays text: what needs a value parses and evaluates it. */
export const expression = () =>
  z
    .string()
    .max(expressionLimits.characters)
    .superRefine((text, context) => {
      const fault = faultOfExpression(text);
      if (fault !== undefined) context.addIssue({ code: "custom", message: fault });
    });

type Field = {
  readonly min?: number;
  readonly max?: number;
  /** Other words that the field knows, which are no expressions: `auto`, `12%`. */
  readonly words?: RegExp;
};

/** A number, or an expression that gives one where the source is known. A text that reads as a number is a number. */
export const numberOrExpression = (field: Field = {}) => {
  const schema = z.preprocess(numeric, z.union([z.number(), z.string()])).superRefine((value, context) => {
    const fault = typeof value === "number" ? faultOfNumber(value, field) : faultOfText(value, field);
    if (fault !== undefined) context.addIssue({ code: "custom", message: fault });
  });
  fields.set(schema, { words: field.words });
  return schema;
};

/** Numbers and fractions as they are written: 25, 30000/1001, 16:9. They stay exact. */
const fraction = /^\s*-?\d+(\.\d*)?(\s*[/:]\s*\d+(\.\d*)?)?\s*$/;

/** A fraction, or an expression that gives a number where the source is known; given as text. */
export const fractionOrExpression = () => {
  const schema = z
    .union([z.number(), z.string()])
    .transform(String)
    .superRefine((text, context) => {
      const fault = faultOfText(text, { words: fraction });
      if (fault !== undefined) context.addIssue({ code: "custom", message: fault });
    });
  fields.set(schema, { words: fraction });
  return schema;
};

/** Why a number is none that a field takes. */
const faultOfNumber = (value: number, { min, max }: Field): string | undefined => {
  if (min !== undefined && value < min) return `must be at least ${min}, not ${value}`;
  return max !== undefined && value > max ? `must be at most ${max}, not ${value}` : undefined;
};

const faultOfText = (text: string, { words }: Field): string | undefined =>
  words?.test(text) ? undefined : faultOfExpression(text);
