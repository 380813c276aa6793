import type { Weakness } from "../../shared/files/storage.ts";
import { TaskError } from "../../shared/model/failure.ts";
import type { Intent, Published, Work } from "../../shared/work/work.ts";
import type { StorageOf } from "../storage/index.ts";
import { choosePublishMode, lostOptions } from "../storage/publish-mode.ts";

/** What a published attempt reports: each output's files, and the guarantees that the storage could not give. */
export const describePublished = async (
  { files, results }: Intent,
  found: Published["found"],
  { storageOf, wanted }: { readonly storageOf: StorageOf; readonly wanted: Work["outputs"] },
): Promise<Published> => {
  const outputs: Published["outputs"] = {};
  const weaker = new Set<Weakness>();
  for (const { output, final, facts, existing, checksum } of files) {
    const storage = storageOf(final);
    const seen = await storage.stat(final);
    if (!seen) throw new TaskError("storage", `${final} was published, but no longer exists`);
    const { size, modified } = seen;
    outputs[output] = [
      ...(outputs[output] ?? []),
      { uri: final, size, modified, facts, ...(checksum && { checksum }) },
    ];
    const lost = lostOptions(wanted[output]?.object, storage.abilities, final);
    for (const each of [...choosePublishMode(existing, storage.abilities).weaker, ...lost]) weaker.add(each);
  }
  return { outputs, found, ...(results && { results }), ...(weaker.size > 0 && { weaker: [...weaker] }) };
};
