import { defineElement } from "../element.ts";
import { compileAnalyze } from "./compile.ts";
import { planAnalyze } from "./plan.ts";
import { analyzePayload } from "./schema.ts";

export const analyze = defineElement({
  kind: "analyze",
  title: "Analyze",
  effort: 6,
  payload: analyzePayload,
  passesInputs: true,
  hasFindings: true,
  plan: planAnalyze,
  compile: ({ detail }) => compileAnalyze(detail),
});
