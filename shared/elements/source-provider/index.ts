import { defineElement } from "../element.ts";
import { planSource } from "../source/plan.ts";
import { sourcePayload } from "../source/schema.ts";

/** A source in the middle of a job: what came before flows no further, and what it names takes its place. */
export const sourceProvider = defineElement({
  kind: "source_provider",
  title: "Source Provider",
  effort: 1,
  payload: sourcePayload,
  plan: planSource,
  compile: () => {
    throw new Error("a source provider plans no tasks");
  },
});
