import { deletingSources } from "../delete-sources.ts";
import { defineElement } from "../element.ts";
import { compileTranscode } from "./compile.ts";
import { conflictsOfTranscode } from "./conflicts.ts";
import { planTranscode } from "./plan.ts";
import { transcodePayload } from "./schema.ts";

export const transcode = defineElement({
  kind: "transcode",
  title: "Transcode",
  payload: transcodePayload,
  conflicts: conflictsOfTranscode,
  plan: planTranscode,
  compile: ({ detail }, { payload, inputs }) => ({
    ...compileTranscode(detail),
    ...deletingSources(payload.options?.delete_sources, inputs),
  }),
});
