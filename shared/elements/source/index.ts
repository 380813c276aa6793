import type { z } from "zod";
import { defineElement } from "../element.ts";
import { planSource } from "./plan.ts";
import { assetUrl, sourcePayload } from "./schema.ts";

export const source = defineElement({
  kind: "source",
  title: "Source",
  effort: 1,
  payload: sourcePayload.superRefine((value, check) => {
    if (value.kind !== "asset_url") return;
    const result = assetUrl.safeParse(value.payload);
    for (const issue of result.error?.issues ?? []) {
      check.addIssue({ code: "custom", message: issue.message, path: ["payload", ...issue.path] });
    }
  }) as z.ZodType<{ kind: string; payload: object }>,
  plan: planSource,
  compile: () => {
    throw new Error("a source plans no tasks");
  },
});
