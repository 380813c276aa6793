import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ExpressionError, withCaret } from "../../../media/expressions/expression-error.ts";
import { callables } from "../../../media/expressions/functions.ts";
import { expressionLimits, parseExpression } from "../../../media/expressions/parser.ts";

const fault = (text: string): string => {
  try {
    parseExpression(text);
  } catch (problem) {
    if (problem instanceof ExpressionError) return withCaret(text, problem);
    throw problem;
  }
  return "none";
};

test("an expression is a tree of plain data", () => {
  expect(parseExpression("source.audio[0].channels > 2")).toEqual({
    is: "binary",
    operator: ">",
    left: {
      ...{ is: "member", name: "channels" },
      of: {
        is: "item",
        of: { is: "member", of: { is: "name", name: "source" }, name: "audio" },
        index: { is: "literal", value: 0 },
      },
    },
    right: { is: "literal", value: 2 },
  });
});

describe("a fault is told with its place", () => {
  test.each([
    ["", ["expected a value, not the end", "  ", "  ^"]],
    ["a >> 1", ['expected a value, not ">"', "  a >> 1", "     ^"]],
    ["a = 1", ['there is no operator "="; did you mean ==?', "  a = 1", "    ^"]],
    ["a & b", ['there is no operator "&"; did you mean &&?', "  a & b", "    ^"]],
    ["(1 + 2", ["expected ) and not the end", "  (1 + 2", "        ^"]],
    ["1 2", ['expected an operator, not "2"', "  1 2", "    ^"]],
    ["a ? b", ["expected : and not the end", "  a ? b", "       ^"]],
    ["'open", ["this text has no closing '", "  'open", "  ^"]],
    ["a.1", ['expected an operator, not ".1"', "  a.1", "   ^"]],
    ["a . 1", ["expected the name of a field after the dot", "  a . 1", "      ^"]],
    ["1 < x < 5", ["comparisons cannot be chained; join them with &&", "  1 < x < 5", "        ^"]],
    ["abs()", ["abs takes 1 argument, not 0", "  abs()", "  ^"]],
    ["round(1, 2, 3)", ["round takes 1 to 2 arguments, not 3", "  round(1, 2, 3)", "  ^"]],
    ["a.size(1)", ["size takes 0 arguments, not 1", "  a.size(1)", "    ^"]],
    ["1e999", ["this number is too large", "  1e999", "  ^"]],
    ["process.exit(1)", [/^there is no method exit; there are size, includes/, "  process.exit(1)", "          ^"]],
    ["constructor(1)", [/^there is no function constructor; there are round/, "  constructor(1)", "  ^"]],
    ["`x`", ['there is no operator "`"', "  `x`", "  ^"]],
  ])("%s", (text, [message, ...lines]) => {
    const [first = "", ...rest] = fault(text).split("\n");
    if (message instanceof RegExp) expect(first).toMatch(message);
    else expect(first).toBe(message);
    expect(rest).toEqual(lines);
  });

  test("only the neighbourhood of the place is shown", () => {
    const [, shown = "", caret = ""] = fault(`${"a + ".repeat(50)}# + ${"b + ".repeat(50)}`).split("\n");
    expect(shown.length).toBeLessThan(90);
    expect(shown[caret.length - 1]).toBe("#");
  });

  test("line breaks are shown as spaces", () => {
    expect(fault("a &&\n\tb >")).toBe("expected a value, not the end\n  a &&  b >\n           ^");
  });
});

describe("what would take long is refused", () => {
  const { characters, nesting } = expressionLimits;
  test.each([
    ["a long text", " ".repeat(characters + 1), "an expression has at most 4000 characters"],
    ["many words", "1+".repeat(600), "an expression has at most 1000 tokens"],
    ["deep parentheses", "(".repeat(nesting + 1), "an expression nests at most 64 deep"],
    ["many signs", `${"!".repeat(nesting + 1)}1`, "an expression nests at most 64 deep"],
    ["deep indices", "a[".repeat(nesting + 1), "an expression nests at most 64 deep"],
    ["towers of powers", `${"2^".repeat(nesting + 1)}2`, "an expression nests at most 64 deep"],
    ["nested choices", `${"1?1:".repeat(nesting + 1)}1`, "an expression nests at most 64 deep"],
  ])("%s", (_, text, message) => {
    expect(fault(text).split("\n")[0]).toBe(message);
  });
});

test("the docs name everything that can be called", () => {
  const page = readFileSync(join(import.meta.dirname, "../../../docs/jobs/expressions.md"), "utf8");
  const { functions, methods } = callables();
  const lacking = [...functions, ...methods.map((name) => `.${name}`)].filter((name) => !page.includes(`\`${name}`));
  expect(lacking).toEqual([]);
});
