import fc from "fast-check";
import { expect, test } from "vitest";
import { evaluate } from "../../../media/expressions/evaluator.ts";
import { ExpressionError } from "../../../media/expressions/expression-error.ts";
import { parseExpression } from "../../../media/expressions/parser.ts";
import { holds, times } from "../../helpers/long.ts";

/** A value, and the same written down: each operation is computed here in the plainest way, beside its text. */
type Case = { readonly text: string; readonly level: number; readonly value: number | boolean | undefined };

const names: Readonly<Record<string, number>> = { a: 3, b: -2, c: 0.5 };

const leaf: fc.Arbitrary<Case> = fc.oneof(
  fc.nat(20).map((value) => ({ text: `${value}`, level: 9, value })),
  fc.constantFrom(...Object.keys(names)).map((name) => ({ text: name, level: 9, value: names[name] })),
  fc.boolean().map((value) => ({ text: `${value}`, level: 9, value })),
  fc.constant({ text: "unknown.path", level: 9, value: undefined }),
);

const truth = (value: number | boolean) => value !== false && value !== 0;
const finite = (value: number | boolean | undefined) =>
  typeof value === "number" && !Number.isFinite(value) ? undefined : value;
const ofNumbers = (apply: (left: number, right: number) => number | boolean) => (left: Value, right: Value) =>
  typeof left === "number" && typeof right === "number" ? finite(apply(left, right)) : undefined;
const ofBoth = (apply: (left: number | boolean, right: number | boolean) => boolean) => (left: Value, right: Value) =>
  left === undefined || right === undefined ? undefined : apply(left, right);

type Value = Case["value"];
type Operator = readonly [sign: string, level: number, apply: (left: Value, right: Value) => Value];

const operators: readonly Operator[] = [
  ["||", 1, (left, right) => (isIt(left, true) || isIt(right, true) ? true : known(left, right) && false)],
  ["&&", 2, (left, right) => (isIt(left, false) || isIt(right, false) ? false : known(left, right) && true)],
  ["==", 3, ofBoth((left, right) => left === right)],
  ["!=", 3, ofBoth((left, right) => left !== right)],
  ["<", 4, ofNumbers((left, right) => left < right)],
  [">=", 4, ofNumbers((left, right) => left >= right)],
  ["+", 5, ofNumbers((left, right) => left + right)],
  ["-", 5, ofNumbers((left, right) => left - right)],
  ["*", 6, ofNumbers((left, right) => left * right)],
  ["/", 6, ofNumbers((left, right) => left / right)],
  ["%", 6, ofNumbers((left, right) => left - right * Math.floor(left / right))],
];
const isIt = (value: Value, wanted: boolean) => value !== undefined && truth(value) === wanted;
const known = (left: Value, right: Value): true | undefined =>
  left === undefined || right === undefined ? undefined : true;

const wrapped = ({ text, level }: Case, atLeast: number) => (level < atLeast ? `( ${text} )` : text);

const binary = (left: Case, right: Case, [sign, level, apply]: Operator): Case => {
  const isComparison = level === 3 || level === 4;
  const text = `${wrapped(left, isComparison ? level + 1 : level)} ${sign} ${wrapped(right, level + 1)}`;
  return { text, level, value: apply(left.value, right.value) };
};

const { tree } = fc.letrec<{ tree: Case }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    leaf,
    fc.tuple(tie("tree"), tie("tree"), fc.constantFrom(...operators)).map((parts) => binary(...parts)),
    tie("tree").map((operand) => {
      const value = operand.value === undefined ? undefined : !truth(operand.value);
      return { text: `!${wrapped(operand, 7)}`, level: 7, value };
    }),
    tie("tree").map((operand) => {
      const value = typeof operand.value === "number" ? -operand.value : undefined;
      return { text: `-${wrapped(operand, 7)}`, level: 7, value };
    }),
    fc.tuple(tie("tree"), tie("tree"), tie("tree")).map(([condition, yes, no]) => {
      const value = condition.value === undefined ? undefined : (truth(condition.value) ? yes : no).value;
      return { text: `${wrapped(condition, 1)} ? ${yes.text} : ${no.text}`, level: 0, value };
    }),
    fc.tuple(tie("tree"), fc.nat(3)).map(([{ text, value }, exponent]) => ({
      text: `( ${text} )^${exponent}`,
      level: 8,
      value: typeof value === "number" ? finite(value ** exponent) : undefined,
    })),
  ),
}));

// 0 and -0 are one value here.
const plain = (value: unknown) => (value === 0 ? 0 : value);

test("an expression comes to what plain arithmetic gives", async () => {
  const property = fc.property(tree, ({ text, value }) => {
    expect(plain(evaluate(parseExpression(text), names))).toEqual(plain(value));
  });
  await holds(property, times(200, 2000, 200_000));
});

const words = [
  ...["1", "0", ".5", "1e3", "'x'", '"y"', "a", "source", ".b", "[0]", "[", "]", "(", ")", ",", "?", ":", ".", "'"],
  ...["+", "-", "*", "/", "%", "^", "!", "!=", "==", "<", "<=", ">", ">=", "&&", "||", "&", "=", "__proto__"],
  ...["constructor", "round(", "min(", ".size()", ".length", "true", " ", "\n", "\\", "é", "\u0000", "😀", "{{", "}}"],
];
const anyText = fc.oneof(
  fc.array(fc.constantFrom(...words), { maxLength: 40 }).map((parts) => parts.join("")),
  fc.array(fc.constantFrom(...words), { maxLength: 12 }).map((parts) => parts.join(" ")),
  fc.string({ unit: "binary", maxLength: 60 }),
);

test("no text does more than parse or be refused, and nothing evaluates to code", async () => {
  const scope = { a: [1, { b: 2 }], source: { b: "text", f: () => expect.unreachable("a function was called") } };
  const property = fc.property(anyText, (text) => {
    let value: unknown;
    try {
      value = evaluate(parseExpression(text), scope);
    } catch (problem) {
      expect(problem).toBeInstanceOf(ExpressionError);
    }
    expect(["undefined", "number", "string", "boolean", "object"]).toContain(typeof value);
    if (typeof value === "number") expect(Number.isFinite(value)).toBe(true);
  });
  await holds(property, times(500, 5000, 1_000_000));
}, 600_000);
