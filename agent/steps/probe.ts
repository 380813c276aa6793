import { stat } from "node:fs/promises";
import { TaskError } from "../../shared/causes.ts";
import type { Performer } from "./step.ts";

export const performProbe: Performer<"probe"> = async ({ asset, known }, { places, tools, log, signal }) => {
  const input = places.inputs.get(asset);
  if (!input) throw new TaskError("definition", `A probe names asset ${asset}, which the task does not have`);
  const { size, mtimeMs } = await stat(input.path);
  const modified = Math.floor(mtimeMs);
  const tool = tools.probeBuild;
  log.line(`probe ${input.path}`);
  if (known?.size === size && known.modified === modified && known.tool === tool) {
    return { unchanged: true, file: { uri: input.uri, size, modified }, tool };
  }
  const facts = await tools.probe({ path: input.path, size, name: input.path, signal });
  if (facts.video.length + facts.audio.length === 0) {
    throw new TaskError("source", `${input.path} holds no audio or video`);
  }
  return { unchanged: false, file: { uri: input.uri, size, modified, facts }, tool };
};
