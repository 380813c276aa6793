import { stat } from "node:fs/promises";
import { TaskError } from "../shared/causes.ts";
import type { Intent, Published } from "../shared/work.ts";
import type { Locator } from "./places.ts";

/** What a published attempt hands in: each output's files as they are now seen. */
export const describePublished = async (
  { files }: Intent,
  found: Published["found"],
  locator: Locator,
): Promise<Published> => {
  const outputs: Published["outputs"] = {};
  for (const { output, final, facts } of files) {
    const path = await locator.within(final);
    if (path === undefined) throw new TaskError("storage", `${final} was published, but its folder is gone`);
    const { size, mtimeMs } = await stat(path);
    outputs[output] = [...(outputs[output] ?? []), { uri: final, size, modified: Math.floor(mtimeMs), facts }];
  }
  return { outputs, found };
};
