import { TaskError } from "../../../shared/model/failure.ts";
import type { StepResults } from "../../../shared/model/step-result.ts";
import type { Verdict } from "../../../shared/model/verdict.ts";
import { evaluate, holds, missingPaths, type Scope } from "../../expressions/evaluator.ts";
import { parseExpression } from "../../expressions/parser.ts";
import type { QcPayload } from "./schema.ts";

/** What the conditions of a qc element can name. */
export type QcScopes = {
  /** For `conditions`: the job's source. */
  readonly source: Scope;
  /** For `tests`: what was analysed, with and without `analyzer.` before it, and the source. */
  readonly analyzer: Scope;
};

type Check = NonNullable<NonNullable<QcPayload["conditions"]>["pass"]>[number];

/** Every condition with its outcome, in the payload's order. One that names something unknown does not hold. */
export const verdictsOf = ({ conditions, tests = [] }: QcPayload, scopes: QcScopes): Verdict[] => [
  ...(conditions?.pass ?? []).map((check) => judged(check, scopes.source, "must_hold")),
  ...(conditions?.fail ?? []).map((check) => judged(check, scopes.source, "must_not_hold")),
  ...(conditions?.warn ?? []).map((check) => judged(check, scopes.source, "warning")),
  ...tests.flatMap(({ name, conditions: checks }) =>
    checks.map((check) => judged({ name, ...check }, scopes.analyzer, "must_hold")),
  ),
];

type Rule = "must_hold" | "must_not_hold" | "warning";

const judged = (check: Check, scope: Scope, rule: Rule): Verdict => {
  const { condition, name, message_pass, message_fail } = check;
  const tree = parseExpression(condition);
  const missing = evaluate(tree, scope) === undefined ? missingPaths(tree, scope) : [];
  const isTrue = holds(tree, scope);
  const passed = missing.length === 0 && (rule === "must_not_hold" ? !isTrue : isTrue);
  const unknown = missing.length > 0 ? `${condition} cannot be judged: nothing is known of ${missing.join(", ")}` : "";
  const said = filled(passed ? message_pass : message_fail, scope);
  return {
    ...(name !== undefined && { name }),
    condition,
    outcome: passed ? "passed" : rule === "warning" ? "warning" : "failed",
    message: unknown || said || `${condition} ${passed ? "holds" : "does not hold"}`,
  };
};

/** `{path}` in a message is what the path comes to; one that leads nowhere stays as it is written. */
const filled = (message: string | undefined, scope: Scope): string =>
  (message ?? "").replaceAll(/\{([^{}]{1,500})\}/g, (whole, text: string) => {
    try {
      const value = evaluate(parseExpression(text), scope);
      if (value === undefined) return whole;
      return typeof value === "object" ? JSON.stringify(value) : String(value);
    } catch {
      return whole; // braces around words that are no expression
    }
  });

/** Throws TaskError with the messages of all conditions that failed; `known` goes along, so that people see all of them. */
export const refuseFailed = (verdicts: readonly Verdict[], uid: string, known: StepResults): void => {
  const failed = verdicts.filter(({ outcome }) => outcome === "failed");
  if (failed.length === 0) return;
  const text = failed.map(({ message }) => message).join("; ");
  throw new TaskError("quality", `${uid}: ${text}`.slice(0, 4000), {}, known);
};
