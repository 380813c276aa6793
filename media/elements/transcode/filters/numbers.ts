import { definitionError } from "../../../../shared/model/failure.ts";
import { evaluate, missingPaths } from "../../../expressions/evaluator.ts";
import { ExpressionError } from "../../../expressions/expression-error.ts";
import { printForFfmpeg, withoutValue } from "../../../expressions/ffmpeg.ts";
import { parseExpression } from "../../../expressions/parser.ts";

type Scope = Readonly<Record<string, number | undefined>>;

/** A number, or what an expression of these names comes to. Throws TaskError `definition`. */
export const numberFrom = (value: number | string, scope: Scope, path: string): number => {
  if (typeof value === "number") return value;
  const tree = parseExpression(value);
  const found = evaluate(tree, scope);
  if (typeof found === "number") return found;
  throw definitionError(`${path} "${value}" ${withoutValue(missingPaths(tree, scope))}`);
};

/** A number, or an expression for ffmpeg that may name what only ffmpeg knows. Throws TaskError `definition`. */
export const printedFrom = (
  value: number | string,
  scope: Scope,
  variables: Readonly<Record<string, string>>,
  path: string,
): string => {
  if (typeof value === "number") return String(value);
  try {
    return printForFfmpeg(parseExpression(value), scope, variables);
  } catch (problem) {
    if (problem instanceof ExpressionError) throw definitionError(`${path} "${value}" ${problem.message}`);
    throw problem;
  }
};
