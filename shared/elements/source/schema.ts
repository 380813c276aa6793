import { z } from "zod";
import { location } from "../../location.ts";
import { looseNumber } from "../../loose.ts";

/** Part of a source, in seconds of its own time. The other variants of the specification are refused when planned. */
export const trim = z.looseObject({
  inpoint_sec: looseNumber(0).optional(),
  outpoint_sec: looseNumber(0).optional(),
  duration_sec: looseNumber(0).optional(),
});
export type Trim = z.output<typeof trim>;

export const assetUrl = z.looseObject({
  ...location.shape,
  url: z.string().min(1).max(4000),
  trim: trim.optional(),
});

/** A source by its kind; what a known kind needs is checked when the job is submitted. */
export const sourcePayload = z
  .looseObject({ kind: z.enum(["asset_url", "asset_urls", "asset_complex"]), payload: z.looseObject({}) })
  .superRefine((value, check) => {
    if (value.kind !== "asset_url") return;
    for (const issue of assetUrl.safeParse(value.payload).error?.issues ?? []) {
      check.addIssue({ code: "custom", message: issue.message, path: ["payload", ...issue.path] });
    }
  });
export type SourcePayload = z.output<typeof sourcePayload>;
