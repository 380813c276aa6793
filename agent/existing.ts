import { join } from "node:path";
import { TaskError } from "../shared/causes.ts";
import { lstatIfThere, removeIfThere } from "./disk.ts";
import type { OutputPlace } from "./places.ts";
import { listSequence } from "./sequence.ts";

/** What `existing_files` asks for before anything is made: failing early, or deleting at once. */
export const applyExisting = async (place: OutputPlace): Promise<void> => {
  const { existing } = place.output;
  if (existing !== "fail" && existing !== "delete_and_replace") return;
  for (const path of await alreadyThere(place)) {
    if (existing === "fail") throw new TaskError("definition", `${path} exists already and existing_files is fail`);
    await deleteFile(path);
  }
};

const alreadyThere = async ({ output, folder, final }: OutputPlace): Promise<string[]> => {
  if (output.isSequence) return (await listSequence(folder, output.name)).map((name) => join(folder, name));
  return (await lstatIfThere(final)) ? [final] : [];
};

const deleteFile = async (path: string): Promise<void> => {
  const stats = await lstatIfThere(path);
  // A folder of that name was never an output of ours, and nobody asked to lose all that is in it.
  if (stats?.isDirectory()) throw new TaskError("storage", `${path} is a folder and is not replaced by a file`);
  await removeIfThere(path);
};
