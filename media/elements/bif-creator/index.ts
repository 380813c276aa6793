import { defineElement } from "../element.ts";
import { compileBif } from "./compile.ts";
import { planBif } from "./plan.ts";
import { bifCreatorPayload } from "./schema.ts";

export const bifCreator = defineElement({
  kind: "bif_creator",
  title: "BIF Creator",
  effort: 2,
  payload: bifCreatorPayload,
  passesInputs: true,
  passesBoth: true,
  plan: planBif,
  compile: ({ detail }) => compileBif(detail),
});
