import { applyFunction, applyMethod } from "./functions.ts";
import type { BinaryOperator, UnaryOperator } from "./operators.ts";
import { partsOf, type Tree } from "./tree.ts";
import { asValue, fieldOf, isTrue, itemOf, numberOf, type Value } from "./values.ts";

/** The values of the names in an expression. */
export type Scope = Readonly<Record<string, unknown>>;

/** The value of an expression, or undefined if a needed value is missing. Never throws. */
export const evaluate = (tree: Tree, scope: Scope): Value | undefined => {
  const at = (part: Tree) => evaluate(part, scope);
  switch (tree.is) {
    case "literal":
      return tree.value;
    case "name":
      return fieldOf(scope, tree.name);
    case "member":
      return fieldOf(at(tree.of), tree.name);
    case "item":
      return itemOf(at(tree.of), at(tree.index));
    case "call":
      return asValue(applyFunction(tree.name, tree.args.map(at)));
    case "method":
      return asValue(applyMethod(tree.name, at(tree.of), tree.args.map(at)));
    case "unary":
      return signed(tree.operator, at(tree.operand));
    case "binary":
      return asValue(combined(tree.operator, at(tree.left), () => at(tree.right)));
    case "choice": {
      const condition = at(tree.condition);
      return condition === undefined ? undefined : at(isTrue(condition) ? tree.yes : tree.no);
    }
  }
};

/** Whether a condition is true; an undefined one is not. */
export const holds = (tree: Tree, scope: Scope): boolean => {
  const value = evaluate(tree, scope);
  return value !== undefined && isTrue(value);
};

/** The paths of an expression that do not exist, in source form: `source.video[3].height`. */
export const missingPaths = (tree: Tree, scope: Scope): string[] => {
  const path = pathOf(tree, scope);
  const parts = tree.is === "item" ? [tree.index] : partsOf(tree);
  if (path === undefined) return [...new Set(parts.flatMap((part) => missingPaths(part, scope)))];
  return evaluate(tree, scope) === undefined ? [path] : [];
};

const pathOf = (tree: Tree, scope: Scope): string | undefined => {
  if (tree.is === "name") return tree.name;
  const of = tree.is === "member" || tree.is === "item" ? pathOf(tree.of, scope) : undefined;
  if (of === undefined) return undefined;
  if (tree.is === "member") return `${of}.${tree.name}`;
  const index = tree.is === "item" ? evaluate(tree.index, scope) : undefined;
  return index === undefined ? undefined : `${of}[${JSON.stringify(index)}]`;
};

const signed = (operator: UnaryOperator, value: Value | undefined): Value | undefined => {
  if (operator === "!") return value === undefined ? undefined : !isTrue(value);
  const number = numberOf(value);
  if (number === undefined) return undefined;
  return operator === "-" ? -number : number;
};

const combined = (
  operator: BinaryOperator,
  left: Value | undefined,
  readRight: () => Value | undefined,
): Value | undefined => {
  if (operator === "&&" || operator === "||") return joined(operator === "||", left, readRight);
  const right = readRight();
  if (left === undefined || right === undefined) return undefined;
  if (operator === "==" || operator === "!=") return isEqual(left, right) === (operator === "==");
  if (operator === "+" && (typeof left === "string" || typeof right === "string")) return added(left, right);
  return isOrder(operator) ? ordered(operator, left, right) : arithmetic(operator, numberOf(left), numberOf(right));
};

/** One side can decide alone (false && x, true || x), on either side; otherwise both must be known. */
const joined = (deciding: boolean, left: Value | undefined, readRight: () => Value | undefined) => {
  if (left !== undefined && isTrue(left) === deciding) return deciding;
  const right = readRight();
  if (right !== undefined && isTrue(right) === deciding) return deciding;
  return left === undefined || right === undefined ? undefined : !deciding;
};

/** A text is compared with a number as a number; lists and objects equal nothing. */
const isEqual = (left: Value, right: Value): boolean => {
  if (typeof left === "object" || typeof right === "object") return false;
  if (typeof left === typeof right) return left === right;
  const [first, second] = [numberOf(left), numberOf(right)];
  return first !== undefined && first === second;
};

const isOrder = (operator: BinaryOperator): operator is keyof typeof orders => Object.hasOwn(orders, operator);

const orders = {
  "<": (sign: number) => sign < 0,
  "<=": (sign: number) => sign <= 0,
  ">": (sign: number) => sign > 0,
  ">=": (sign: number) => sign >= 0,
} as const;

const ordered = (operator: keyof typeof orders, left: Value, right: Value): boolean | undefined => {
  if (typeof left === "string" && typeof right === "string")
    return orders[operator](left < right ? -1 : +(left > right));
  const [first, second] = [numberOf(left), numberOf(right)];
  return first === undefined || second === undefined ? undefined : orders[operator](Math.sign(first - second));
};

const longestText = 4000;

const added = (left: Value, right: Value): string | undefined => {
  if (typeof left === "object" || typeof right === "object") return undefined;
  const text = `${left}${right}`;
  return text.length > longestText ? undefined : text;
};

const arithmetic = (
  operator: BinaryOperator,
  left: number | undefined,
  right: number | undefined,
): number | undefined => {
  if (left === undefined || right === undefined) return undefined;
  switch (operator) {
    case "+":
      return left + right;
    case "-":
      return left - right;
    case "*":
      return left * right;
    case "/":
      return left / right;
    case "%":
      // The remainder has the divisor's sign, as in math.js and ffmpeg.
      return left - right * Math.floor(left / right);
    case "^":
      return left ** right;
    default:
      return undefined;
  }
};
