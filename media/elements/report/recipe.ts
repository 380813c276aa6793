import { fillPattern } from "../../../shared/files/file-pattern.ts";
import { nameOf } from "../../../shared/files/location.ts";
import { placeOf } from "../../../shared/files/place.ts";
import type { Output, Step, StepOf, Work } from "../../../shared/work/work.ts";
import type { PlanContext } from "../element.ts";
import type { ReportPayload } from "./schema.ts";

/** A report to write, and its subject. */
export type ReportRecipe = { readonly output: Output; readonly title: string; readonly subject: string };

type Outcome = "success" | "failure";

const conditions: Readonly<Record<ReportPayload["create_condition"], readonly Outcome[]>> = {
  always: ["success", "failure"],
  on_success: ["success"],
  on_failure: ["failure"],
};

/** The reports for an outcome. `.json` makes JSON, every other name PDF. */
export const reportsOf = (
  reports: readonly ReportPayload[],
  { uid, job, inputs, source = inputs }: PlanContext<unknown>,
  outcome: Outcome,
): ReportRecipe[] => {
  const subject = nameOf((source[0] ?? inputs[0])?.files[0]?.uri ?? "");
  return reports
    .filter(({ create_condition }) => conditions[create_condition].includes(outcome))
    .map(({ location, file_pattern }, index) => {
      const path = `${uid}.payload.report${index === 0 ? "" : `s[${index}]`}`;
      const filled = fillPattern(file_pattern, { sourceName: subject, defaultExtension: ".pdf", jobId: job.id });
      const name = /\.(pdf|json)$/i.test(filled) ? filled : `${filled}.pdf`;
      const place = placeOf(location, undefined, `${path}.location`);
      const output: Output = { version: `report_${index}`, ...place, name, isSequence: false, existing: "replace" };
      return { output, title: job.name, subject };
    });
};

export const reportOutputs = (reports: readonly ReportRecipe[]): Work["outputs"] =>
  Object.fromEntries(reports.map(({ output }, at) => [`report_${at}`, output]));

/** Writes each report from these results of the attempt. */
export const reportSteps = (
  reports: readonly ReportRecipe[],
  results: readonly string[],
  stills?: StepOf<"report">["stills"],
): Step[] =>
  reports.map(({ output, title, subject }, at) => {
    const [id, to] = [`report_${at}`, `report_${at}`];
    if (/\.json$/i.test(output.name)) return { do: "document", id, to, results: [...results] };
    return { do: "report", id, to, title, subject, results: [...results], ...(stills && { stills }) };
  });
