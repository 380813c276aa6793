import { t } from "@lingui/core/macro";
import { parseJob } from "../../../media/jobs/parse-job.ts";
import { AppError, type ErrorDetail, messageOf } from "../../../shared/basics/errors.ts";
import { resolveDefinitions } from "../../../shared/model/definitions.ts";

export type Checked =
  | { readonly kind: "empty" }
  | { readonly kind: "faulty"; readonly faults: readonly ErrorDetail[] }
  | {
      readonly kind: "good";
      readonly body: Record<string, unknown>;
      readonly summary: string;
      readonly warnings: readonly string[];
    };

/** Validates a job before it is sent, with the coordinator's own code. */
export const checkJob = (text: string): Checked => {
  if (text.trim() === "") return { kind: "empty" };
  try {
    const body = JSON.parse(text);
    if (typeof body !== "object" || body === null || Array.isArray(body)) {
      return { kind: "faulty", faults: [{ path: "", message: t`must be a JSON object` }] };
    }
    const { name, elements, warnings } = parseJob(resolveDefinitions(body));
    const summary = `“${name}”: ${elements.map(({ kind }) => kind).join(", ")}`;
    return { kind: "good", body, summary, warnings };
  } catch (problem) {
    return { kind: "faulty", faults: detailsOf(problem) };
  }
};

const detailsOf = (problem: unknown): readonly ErrorDetail[] => {
  if (problem instanceof AppError && problem.details.length > 0) return problem.details;
  return [{ path: "", message: messageOf(problem) }];
};

/** What is wrong in a text, by path. */
export const findFaults = (text: string): readonly ErrorDetail[] => {
  const checked = checkJob(text);
  return checked.kind === "faulty" ? checked.faults : [];
};
