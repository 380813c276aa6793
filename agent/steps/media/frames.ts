import { inputNamed } from "../named-files.ts";
import type { Performer } from "../step.ts";

/** Reads a whole file without decoding, to list when its frames are shown and how they depend on one another. */
export const performFrames: Performer<"frames"> = async ({ asset, question }, context) => {
  const { tools, log, work, signal, onProgress } = context;
  const input = inputNamed(asset, context);
  log.line(`list frames of ${input.path}`);
  const isJoined = work.assets[asset]?.pieces !== undefined;
  const frames = await tools.frames({
    path: input.path,
    isJoined,
    question,
    signal,
    name: isJoined ? input.uri : input.path,
    onCount: (frame) => onProgress({ frame }),
  });
  const [first] = input.files;
  const file = { uri: input.uri, size: first?.size, modified: first?.modified };
  return { unchanged: false, file, tool: tools.probeBuild, frames };
};
