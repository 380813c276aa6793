import { TaskError } from "../shared/causes.ts";
import { joinUri } from "../shared/location.ts";
import type { ResolvedOutput } from "./path-resolver.ts";
import { sequenceOf } from "./sequence.ts";
import { publishModeOf } from "./storage/publish-mode.ts";

/** What `existing_files` asks for before anything is made: failing early, or deleting at once. */
export const applyExisting = async (place: ResolvedOutput): Promise<void> => {
  const { existing } = place.output;
  publishModeOf(existing, place.storage.abilities); // refuses what this storage could never do
  if (existing !== "fail" && existing !== "delete_and_replace") return;
  for (const uri of await alreadyThere(place)) {
    const name = place.storage.pathOf?.(uri) ?? uri;
    if (existing === "fail") throw new TaskError("definition", `${name} already exists, and existing_files is fail`);
    await deleteFile(place, uri, name);
  }
};

const alreadyThere = async ({ output, storage, finalUri }: ResolvedOutput): Promise<string[]> => {
  if (!output.isSequence) return (await storage.stat(finalUri)) ? [finalUri] : [];
  return sequenceOf(await storage.list(output.folder), output.name).map((name) => joinUri(output.folder, name));
};

const deleteFile = async ({ storage }: ResolvedOutput, uri: string, name: string): Promise<void> => {
  // A folder of that name was never an output of ours, and nobody asked to lose all that is in it.
  if ((await storage.stat(uri))?.isFile === false) {
    throw new TaskError("storage", `${name} is a folder; a file cannot replace it`);
  }
  await storage.remove(uri);
};
