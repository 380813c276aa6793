import { evaluate, missingPaths, type Scope } from "./evaluator.ts";
import { ExpressionError } from "./expression-error.ts";
import { printFunction } from "./functions.ts";
import type { BinaryOperator } from "./operators.ts";
import { namesOf, type Tree } from "./tree.ts";
import { isTrue, numberOf } from "./values.ts";

/** ffmpeg allows at most a hundred nested parentheses; some of its filters wrap an expression in their own. */
const maxNesting = 90;

/**
 * An expression for ffmpeg's evaluator. Everything known becomes a number now; names that only ffmpeg knows stay,
 * renamed by `variables` (`{ overlay_w: "w" }`). Only names of that table, numbers and our operators are printed, never
 * the user's text. Throws ExpressionError for an expression without a value, or whose value is not a number.
 */
export const printForFfmpeg = (tree: Tree, scope: Scope, variables: Readonly<Record<string, string>>): string => {
  const text = print(tree, { scope, variables });
  if (nestingOf(text) > maxNesting) throw new ExpressionError("is nested too deeply for ffmpeg");
  return text;
};

/** Whether ffmpeg must evaluate an expression, because it uses a name that only ffmpeg knows. */
export const needsFfmpeg = (tree: Tree, variables: Readonly<Record<string, string>>): boolean =>
  namesOf(tree).some((name) => Object.hasOwn(variables, name));

type Printing = { readonly scope: Scope; readonly variables: Readonly<Record<string, string>> };

const print = (tree: Tree, printing: Printing): string => {
  const at = (part: Tree) => print(part, printing);
  if (!needsFfmpeg(tree, printing.variables)) return printNumber(tree, printing.scope);
  switch (tree.is) {
    case "name":
      return printing.variables[tree.name] ?? "";
    case "call":
      return printFunction(tree.name, tree.args.map(at));
    case "unary":
      return tree.operator === "!" ? `not(${at(tree.operand)})` : `(${tree.operator}${at(tree.operand)})`;
    case "binary":
      return printers[tree.operator](at(tree.left), at(tree.right));
    case "choice":
      return `if(${at(tree.condition)},${at(tree.yes)},${at(tree.no)})`;
    default:
      throw new ExpressionError("accesses a part of a number");
  }
};

const infix = (sign: string) => (left: string, right: string) => `(${left}${sign}${right})`;
const call = (name: string) => (left: string, right: string) => `${name}(${left},${right})`;

const printers: Readonly<Record<BinaryOperator, (left: string, right: string) => string>> = {
  "||": (left, right) => `if(${left},1,not(not(${right})))`,
  "&&": (left, right) => `if(${left},not(not(${right})),0)`,
  "==": call("eq"),
  "!=": (left, right) => `not(eq(${left},${right}))`,
  "<": call("lt"),
  "<=": call("lte"),
  ">": call("gt"),
  ">=": call("gte"),
  "+": infix("+"),
  "-": infix("-"),
  "*": infix("*"),
  "/": infix("/"),
  "%": call("mod"),
  "^": call("pow"),
};

const printNumber = (tree: Tree, scope: Scope): string => {
  const value = evaluate(tree, scope);
  if (value === undefined) throw new ExpressionError(withoutValue(missingPaths(tree, scope)));
  const number = typeof value === "boolean" ? Number(isTrue(value)) : numberOf(value);
  if (number === undefined) throw new ExpressionError(`needs a number and not ${JSON.stringify(value).slice(0, 100)}`);
  return number < 0 ? `(${number})` : `${number}`;
};

/** Why an expression has no value. */
export const withoutValue = (paths: readonly string[]): string =>
  paths.length === 0 ? "has no value here" : `${paths.join(", ")} ${paths.length === 1 ? "has" : "have"} no value here`;

const nestingOf = (text: string): number => {
  let depth = 0;
  let deepest = 0;
  for (const character of text) {
    depth += character === "(" ? 1 : character === ")" ? -1 : 0;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
};
