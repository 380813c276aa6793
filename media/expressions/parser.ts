import { ExpressionError } from "./expression-error.ts";
import { checkFunction, checkMethod } from "./functions.ts";
import { type Token, tokenize } from "./lexer.ts";
import { type BinaryOperator, binaryLevels, isBinary, isComparison, isUnary } from "./operators.ts";
import type { Tree } from "./tree.ts";

/** Limits for one expression: no text makes parsing or evaluating slow or deep. */
export const expressionLimits = { characters: 4000, words: 1000, nesting: 64 } as const;

/**
 * The tree of an expression; the grammar is in docs/jobs/expressions.md. Throws ExpressionError with the column of a fault.
 */
export const parseExpression = (text: string): Tree => {
  const { characters, words } = expressionLimits;
  if (text.length > characters) throw new ExpressionError(`an expression has at most ${characters} characters`);
  const tokens = tokenize(text);
  if (tokens.length > words) throw new ExpressionError(`an expression has at most ${words} tokens`);
  const reader = createReader(tokens);
  const tree = readChoice(reader);
  const rest = reader.peek();
  if (rest.kind !== "end") throw new ExpressionError(`expected an operator, not ${shown(rest)}`, rest.column);
  return tree;
};

type Reader = ReturnType<typeof createReader>;

const createReader = (tokens: readonly Token[]) => {
  let at = 0;
  let nesting = 0;
  const peek = (): Token => tokens[at] ?? { kind: "end", text: "", column: 0 };
  const next = (): Token => {
    const token = peek();
    at += 1;
    return token;
  };
  const isSign = (text: string): boolean => peek().kind === "sign" && peek().text === text;
  const takes = (text: string): boolean => isSign(text) && next() !== undefined;
  const expect = (text: string): void => {
    if (!takes(text)) throw new ExpressionError(`expected ${text} and not ${shown(peek())}`, peek().column);
  };
  /** Counts the nesting depth. */
  const within = (read: () => Tree): Tree => {
    nesting += 1;
    if (nesting > expressionLimits.nesting)
      throw new ExpressionError(`an expression nests at most ${expressionLimits.nesting} deep`, peek().column);
    const tree = read();
    nesting -= 1;
    return tree;
  };
  return { peek, next, isSign, takes, expect, within };
};

const shown = ({ kind, text }: Token): string => (kind === "end" ? "the end" : JSON.stringify(text));

const readChoice = (reader: Reader): Tree =>
  reader.within(() => {
    const condition = readBinary(reader, 1);
    if (!reader.takes("?")) return condition;
    const yes = readChoice(reader);
    reader.expect(":");
    return { is: "choice", condition, yes, no: readChoice(reader) };
  });

/** Operands joined by operators that bind at least as tightly as `level`. */
const readBinary = (reader: Reader, level: number): Tree => {
  let left = readUnary(reader);
  let last: BinaryOperator | undefined;
  for (;;) {
    const { kind, text: operator, column } = reader.peek();
    if (kind !== "sign" || !isBinary(operator) || binaryLevels[operator] < level) return left;
    refuseChain(last, operator, column);
    reader.next();
    left = { is: "binary", operator, left, right: readBinary(reader, binaryLevels[operator] + 1) };
    last = operator;
  }
};

// 1 < x < 5 would compare a boolean with 5.
const refuseChain = (last: BinaryOperator | undefined, operator: BinaryOperator, column: number): void => {
  if (last && isComparison(operator) && binaryLevels[last] === binaryLevels[operator])
    throw new ExpressionError("comparisons cannot be chained; join them with &&", column);
};

const readUnary = (reader: Reader): Tree => {
  const { kind, text: operator } = reader.peek();
  if (kind === "sign" && isUnary(operator)) {
    reader.next();
    return { is: "unary", operator, operand: reader.within(() => readUnary(reader)) };
  }
  const base = readPath(reader);
  return reader.isSign("^") ? readPower(reader, base) : base;
};

const readPower = (reader: Reader, left: Tree): Tree => {
  reader.expect("^");
  return { is: "binary", operator: "^", left, right: reader.within(() => readUnary(reader)) };
};

const readPath = (reader: Reader): Tree => {
  let tree = readPrimary(reader);
  for (;;) {
    if (reader.takes(".")) tree = readMember(reader, tree);
    else if (reader.takes("[")) {
      tree = { is: "item", of: tree, index: readChoice(reader) };
      reader.expect("]");
    } else return tree;
  }
};

const readMember = (reader: Reader, of: Tree): Tree => {
  const { kind, text: name, column } = reader.next();
  if (kind !== "name") throw new ExpressionError("expected the name of a field after the dot", column);
  if (!reader.takes("(")) return { is: "member", of, name };
  const args = readArguments(reader);
  checkMethod(name, args.length, column);
  return { is: "method", of, name, args };
};

const readPrimary = (reader: Reader): Tree => {
  const token = reader.next();
  const { kind, text, column } = token;
  if (kind === "number") return readNumber(token);
  if (kind === "text") return { is: "literal", value: text };
  if (kind === "name") return readName(reader, token);
  if (kind === "sign" && text === "(") {
    const tree = readChoice(reader);
    reader.expect(")");
    return tree;
  }
  throw new ExpressionError(`expected a value, not ${shown(token)}`, column);
};

const readNumber = ({ text, column }: Token): Tree => {
  const value = Number(text);
  if (!Number.isFinite(value)) throw new ExpressionError("this number is too large", column);
  return { is: "literal", value };
};

const readName = (reader: Reader, { text: name, column }: Token): Tree => {
  if (name === "true" || name === "false") return { is: "literal", value: name === "true" };
  if (!reader.takes("(")) return { is: "name", name };
  const args = readArguments(reader);
  checkFunction(name, args.length, column);
  return { is: "call", name, args };
};

const readArguments = (reader: Reader): Tree[] => {
  if (reader.takes(")")) return [];
  const args: Tree[] = [];
  do args.push(readChoice(reader));
  while (reader.takes(","));
  reader.expect(")");
  return args;
};
