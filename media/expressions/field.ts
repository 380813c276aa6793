import { z } from "zod";
import { numeric } from "../../shared/basics/loose-values.ts";
import { ExpressionError, withCaret } from "./expression-error.ts";
import { expressionLimits, parseExpression } from "./parser.ts";

/** Schemas of fields that take expressions, with the keywords they also accept. */
const fields = new WeakMap<z.core.$ZodType, { readonly words: RegExp | undefined }>();

/** The field settings of a schema made here; undefined for every other schema. */
export const expressionField = (schema: z.core.$ZodType) => fields.get(schema);

/** Why a text is not a valid expression, with a caret under the place; undefined if it is valid. */
export const findExpressionError = (text: string): string | undefined => {
  try {
    parseExpression(text);
    return undefined;
  } catch (problem) {
    if (problem instanceof ExpressionError) return `is not an expression: ${withCaret(text, problem)}`;
    throw problem;
  }
};

/** A text that must parse as an expression. It stays text and is parsed again when it is evaluated. */
export const expression = () =>
  z
    .string()
    .max(expressionLimits.characters)
    .superRefine((text, context) => {
      const fault = findExpressionError(text);
      if (fault !== undefined) context.addIssue({ code: "custom", message: fault });
    });

type Field = {
  readonly min?: number;
  readonly max?: number;
  /** Keywords of the field that are not expressions: `auto`, `12%`. */
  readonly words?: RegExp;
};

/** A number, or an expression that gives one once the source is known. A text that looks like a number is a number. */
export const numberOrExpression = (field: Field = {}) => {
  const schema = z.preprocess(numeric, z.union([z.number(), z.string()])).superRefine((value, context) => {
    const fault = typeof value === "number" ? faultOfNumber(value, field) : faultOfText(value, field);
    if (fault !== undefined) context.addIssue({ code: "custom", message: fault });
  });
  fields.set(schema, { words: field.words });
  return schema;
};

/** Numbers and fractions as written: 25, 30000/1001, 16:9. They stay exact. */
const fraction = /^\s*-?\d+(\.\d*)?(\s*[/:]\s*\d+(\.\d*)?)?\s*$/;

/** A fraction, or an expression that gives a number once the source is known; returned as text. */
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

/** Why a number is not valid for a field. */
const faultOfNumber = (value: number, { min, max }: Field): string | undefined => {
  if (min !== undefined && value < min) return `must be at least ${min}, not ${value}`;
  return max !== undefined && value > max ? `must be at most ${max}, not ${value}` : undefined;
};

const faultOfText = (text: string, { words }: Field): string | undefined =>
  words?.test(text) ? undefined : findExpressionError(text);
