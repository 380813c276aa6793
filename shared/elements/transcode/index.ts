import { defineElement } from "../element.ts";
import { compileTranscode } from "./compile.ts";
import { planTranscode } from "./plan.ts";
import { transcodePayload } from "./schema.ts";

export const transcode = defineElement({
  kind: "transcode",
  title: "Transcode",
  payload: transcodePayload,
  plan: planTranscode,
  compile: (task) => compileTranscode(task.detail),
});
