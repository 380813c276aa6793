import type { StepResults } from "../../../shared/model/step-result.ts";
import type { Verdict } from "../../../shared/model/verdict.ts";
import { withFacts } from "../../virtual-source/build-virtual-source.ts";
import { analyzerVariables } from "../analyzer-variables.ts";
import type { Plan, PlanContext } from "../element.ts";
import { type ReportRecipe, reportsOf } from "../report/recipe.ts";
import { sourceVariables } from "../source-variables.ts";
import type { QcPayload } from "./schema.ts";
import { refuseFailed, verdictsOf } from "./verdicts.ts";

/** What is kept of a qc element, and what is written about it. */
export type QcRecipe = { readonly known: StepResults; readonly reports: readonly ReportRecipe[] };

const reportStage = "report";

/**
 * Judges what was found out before. A report is a stage of its own, so that it is there also where the verdict then fails
 * the element.
 */
export const planQc = (context: PlanContext<QcPayload>): Plan<QcRecipe> => {
  const { uid, payload, analyses = [] } = context;
  const media = (context.source ?? context.inputs).map((asset) => withFacts(asset, context.factsOf));
  const [file] = media.flatMap(({ files }) => files);
  if (file && !file.facts) return { need: [{ fact: "probe", uri: file.uri }] };
  const source = file?.facts ? { source: sourceVariables(file.facts) } : {};
  const analyzer = analyzerVariables(analyses);
  const verdicts = verdictsOf(payload, { source, analyzer: { ...analyzer, ...source, analyzer } });
  const known = knownOf(verdicts, analyzer);
  const hasFailed = verdicts.some(({ outcome }) => outcome === "failed");
  const reports = reportsOf(payload.report ? [payload.report] : [], context, hasFailed ? "failure" : "success");
  const isReported = context.stageResults?.(reportUid(uid)) !== undefined;
  if (reports.length > 0 && !isReported)
    return { stage: reportStage, tasks: [taskOf(reportUid(uid), { known, reports })] };
  refuseFailed(verdicts, uid, known);
  return { tasks: [taskOf(uid, { known, reports: [] })] };
};

const reportUid = (uid: string): string => `${uid}_report`;

const taskOf = (uid: string, detail: QcRecipe) => ({ uid, name: uid, requires: [], weight: "light", detail }) as const;

const knownOf = (verdicts: readonly Verdict[], analyzer: ReturnType<typeof analyzerVariables>): StepResults => ({
  verdicts: { kind: "verdicts", value: JSON.parse(JSON.stringify(verdicts)) },
  ...(Object.keys(analyzer).length > 0 && { analysis: { kind: "analysis", value: analyzer } }),
});
