import { defineElement } from "../element.ts";
import { compileCopy } from "./compile.ts";
import { planCopy } from "./plan.ts";
import { copyPayload } from "./schema.ts";

export const copy = defineElement({
  kind: "copy",
  title: "Copy",
  effort: 2,
  payload: copyPayload,
  plan: planCopy,
  compile: (_task, context) => compileCopy(context),
});
