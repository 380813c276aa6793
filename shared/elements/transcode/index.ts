import type { Work } from "../../work.ts";
import { filesToDelete } from "../copy/compile.ts";
import { defineElement, type PlanContext } from "../element.ts";
import { compileTranscode } from "./compile.ts";
import { conflictsOfTranscode } from "./conflicts.ts";
import { planTranscode } from "./plan.ts";
import { type TranscodePayload, transcodePayload } from "./schema.ts";

/** Sources go once all targets are published. */
const deletesOf = ({ payload, inputs }: PlanContext<TranscodePayload>): Pick<Work, "after"> => {
  if (!payload.options?.delete_sources) return {};
  const files = filesToDelete(inputs.flatMap((asset) => asset.files));
  return { after: [{ do: "delete", id: "delete_sources", files }] };
};

export const transcode = defineElement({
  kind: "transcode",
  title: "Transcode",
  payload: transcodePayload,
  conflicts: conflictsOfTranscode,
  plan: planTranscode,
  compile: (task, context) => ({ ...compileTranscode(task.detail), ...deletesOf(context) }),
});
