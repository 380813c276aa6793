import { TaskError } from "../shared/causes.ts";
import type { Weakness } from "../shared/storage.ts";
import type { Intent, Published } from "../shared/work.ts";
import type { StorageOf } from "./storage/index.ts";
import { publishModeOf } from "./storage/publish-mode.ts";

/** What a published attempt hands in: each output's files as they are now seen, and what could not be promised of them. */
export const describePublished = async (
  { files, results }: Intent,
  found: Published["found"],
  storageOf: StorageOf,
): Promise<Published> => {
  const outputs: Published["outputs"] = {};
  const weaker = new Set<Weakness>();
  for (const { output, final, facts, existing } of files) {
    const storage = storageOf(final);
    const seen = await storage.stat(final);
    if (!seen) throw new TaskError("storage", `${final} was published, but no longer exists`);
    outputs[output] = [...(outputs[output] ?? []), { uri: final, size: seen.size, modified: seen.modified, facts }];
    for (const each of publishModeOf(existing, storage.abilities).weaker) weaker.add(each);
  }
  return { outputs, found, ...(results && { results }), ...(weaker.size > 0 && { weaker: [...weaker] }) };
};
