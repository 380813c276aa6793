import { joinUri } from "../../shared/files/location.ts";
import { definitionError, TaskError } from "../../shared/model/failure.ts";
import { listSequence } from "../disk/numbered-names.ts";
import { namesIn } from "../storage/listing-limits.ts";
import { choosePublishMode, lostOptions } from "../storage/publish-mode.ts";
import type { ResolvedOutput } from "./resolved-paths.ts";

/**
 * Applies `existing_files` before anything is made: fails early, or deletes at once. `confirm` comes before that: a node
 * that slept since it got the task must not delete what another one has published since.
 */
export const applyExisting = async (place: ResolvedOutput, confirm: () => Promise<void>): Promise<void> => {
  const { existing } = place.output;
  choosePublishMode(existing, place.storage.abilities); // fails if this storage can never do it
  lostOptions(place.output.object, place.storage.abilities, place.output.folder);
  if (existing !== "fail" && existing !== "delete_and_replace") return;
  const there = await alreadyThere(place);
  if (there.length > 0 && existing !== "fail") await confirm();
  for (const uri of there) {
    const name = place.storage.pathOf?.(uri) ?? uri;
    if (existing === "fail") throw definitionError(`${name} already exists, and existing_files is fail`);
    await deleteFile(place, uri, name);
  }
};

const alreadyThere = async ({ output, storage, finalUri }: ResolvedOutput): Promise<string[]> => {
  if (!output.isSequence) return (await storage.stat(finalUri)) ? [finalUri] : [];
  const names = await namesIn(output.folder, storage.list(output.folder));
  return listSequence(names, output.name).map((name) => joinUri(output.folder, name));
};

const deleteFile = async ({ storage }: ResolvedOutput, uri: string, name: string): Promise<void> => {
  // A folder cannot be an earlier output of this target, and nobody asked to delete its contents.
  if ((await storage.stat(uri))?.isFile === false) {
    throw new TaskError("storage", `${name} is a folder; a file cannot replace it`);
  }
  await storage.remove(uri);
};
