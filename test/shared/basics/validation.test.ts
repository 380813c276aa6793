import { expect, test } from "vitest";
import { z } from "zod";
import { numberOrExpression } from "../../../media/expressions/field.ts";
import { AppError } from "../../../shared/basics/errors.ts";
import { looseInteger, looseNumber } from "../../../shared/basics/loose-values.ts";
import { parse } from "../../../shared/basics/validation.ts";

const told = (schema: z.ZodType, value: unknown): string => {
  try {
    parse(schema, value, "at");
  } catch (problem) {
    if (problem instanceof AppError)
      return problem.details.map(({ path, message }) => `${path}: ${message}`).join("\n");
    throw problem;
  }
  return "nothing";
};

const union = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("crop") }),
  z.object({ kind: z.literal("fade") }),
]);

test.each([
  [z.enum(["cbr", "vbr"]), "cbt", 'at: must be one of "cbr", "vbr", not "cbt"; did you mean "cbr"?'],
  [z.enum(["MP", "HP"]), "mp", 'at: must be one of "MP", "HP", not "mp"; did you mean "MP"?'],
  [z.enum(["cbr", "vbr"]), "something", 'at: must be one of "cbr", "vbr", not "something"'],
  [z.literal([8, 16]), 9, "at: must be one of 8, 16, not 9"],
  [union, { kind: "corp" }, 'at.kind: must be one of "crop", "fade", not "corp"; did you mean "crop"?'],
  [union, {}, 'at.kind: is required: must be one of "crop", "fade"'],
  [union, 5, "at: must be an object, not 5"],
  [looseInteger(1, 254), 255, "at: must be at most 254, not 255"],
  [looseInteger(1, 254), "0", "at: must be at least 1, not 0"],
  [looseInteger(), "many", 'at: must be a number, not "many"'],
  [looseInteger(), 1.5, "at: must be a whole number, not 1.5"],
  [looseNumber(), null, "at: must be a number, not null"],
  [z.string(), { a: 1 }, "at: must be a text, not an object"],
  [z.string().max(3), "x".repeat(500), "at: must have at most 3 characters, not a text of 500 characters"],
  [z.array(z.string()).min(1), [], "at: must have at least 1 item, not an empty list"],
  [z.string().regex(/^a/, "is no word with an a"), "b", 'at: "b" is no word with an a'],
  [numberOrExpression({ min: 0 }), {}, "at: must be a number or a text, not an object"],
  [z.object({ a: z.string() }), {}, "at.a: is required: must be a text"],
  [z.object({ password: z.number() }), { password: "hush" }, "at.password: must be a number, not what was sent"],
])("%#: what was sent, what is allowed, what was meant", (schema, value, expected) => {
  expect(told(schema, value)).toBe(expected);
});

test("a long list of allowed values is cut", () => {
  const words = Array.from({ length: 100 }, (_, index) => `word_${index}`) as [string, ...string[]]; // it has a hundred
  expect(told(z.enum(words), "x")).toMatch(/"word_39", … \(100 in all\), not "x"$/);
});

test("a hundred faults are told at most", () => {
  expect(
    told(
      z.array(z.number()),
      Array.from({ length: 300 }, () => "x"),
    ).split("\n"),
  ).toHaveLength(100);
});
