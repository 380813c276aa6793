import type { Work } from "../../work.ts";
import { deletingSources } from "../delete-sources.ts";
import { defineElement } from "../element.ts";
import { compileTranscode } from "./compile.ts";
import { conflictsOfTranscode } from "./conflicts.ts";
import { planTranscode } from "./plan.ts";
import { transcodePayload } from "./schema.ts";
import { deletingSections } from "./sections/combine.ts";

const afterwards = (after: NonNullable<Work["after"]>): Pick<Work, "after"> => (after.length > 0 ? { after } : {});

export const transcode = defineElement({
  kind: "transcode",
  title: "Transcode",
  payload: transcodePayload,
  conflicts: conflictsOfTranscode,
  plan: planTranscode,
  compile: ({ detail }, { payload, inputs }) => ({
    ...compileTranscode(detail),
    ...afterwards([
      ...deletingSections(detail),
      ...(detail.isSection ? [] : (deletingSources(payload.options?.delete_sources, inputs).after ?? [])),
    ]),
  }),
});
