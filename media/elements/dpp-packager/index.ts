import { deletingSources } from "../copy/delete-sources.ts";
import { defineElement } from "../element.ts";
import { compileDpp } from "./compile.ts";
import { planDpp } from "./plan.ts";
import { dppPackagerPayload } from "./schema.ts";

export const dppPackager = defineElement({
  kind: "dpp_packager",
  title: "DPP Packager",
  effort: 3,
  payload: dppPackagerPayload,
  plan: planDpp,
  compile: ({ detail }, { payload, inputs }) => ({
    ...compileDpp(detail),
    ...deletingSources(payload.options?.delete_sources, inputs),
  }),
});
