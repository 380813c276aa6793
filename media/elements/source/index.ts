import { defineElement } from "../element.ts";
import { planSource } from "./plan.ts";
import { sourcePayload } from "./schema.ts";

export const source = defineElement({
  kind: "source",
  title: "Source",
  effort: 1,
  isSource: true,
  payload: sourcePayload,
  plan: planSource,
  compile: () => {
    throw new Error("a source plans no tasks");
  },
});
