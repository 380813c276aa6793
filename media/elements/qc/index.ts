import type { Step } from "../../../shared/work/work.ts";
import { defineElement } from "../element.ts";
import { reportOutputs, reportSteps } from "../report/recipe.ts";
import { planQc } from "./plan.ts";
import { qcPayload } from "./schema.ts";

export const qc = defineElement({
  kind: "qc",
  title: "QC",
  effort: 1,
  payload: qcPayload,
  passesInputs: true,
  hasFindings: true,
  plan: planQc,
  compile: ({ detail: { known, reports } }) => ({
    assets: {},
    outputs: reportOutputs(reports),
    steps: [
      ...Object.entries(known).map(([id, result]): Step => ({ do: "known", id, result })),
      ...reportSteps(reports, Object.keys(known)),
    ],
  }),
});
