import type { Assignment, Fence } from "../../shared/protocol/messages.ts";
import { findForeignFile } from "../../shared/work/intent-check.ts";
import { isTempName } from "../../shared/work/temp-names.ts";
import type { Intent } from "../../shared/work/work.ts";
import type { StorageView } from "../paths/storage-view.ts";
import { needsFreeName } from "../storage/publish-mode.ts";
import { lastName } from "../storage/temp-name.ts";

/** How far publishing the granted intent of an earlier attempt got. */
export type PreviousState = "none" | "published" | "ready";

/**
 * Why the intent of an earlier attempt is not touched; undefined if it can be one of this task. Another node made it, and
 * this node would rename and remove its own files by it.
 */
export const doubtPrevious = ({ previousIntent, work, fence }: Assignment): string | undefined =>
  previousIntent === null
    ? undefined
    : findForeignFile(previousIntent, work, (_file, maker) => isEarlier(maker, fence));

const isEarlier = (one: Fence, other: Fence): boolean =>
  one.epoch < other.epoch || (one.epoch === other.epoch && one.counter < other.counter);

/**
 * Whether the granted files of an earlier attempt are all published, or can all still be published. If some are gone,
 * the rest is deleted.
 */
export const inspectPrevious = async ({ previousIntent }: Assignment, view: StorageView): Promise<PreviousState> => {
  if (previousIntent === null || previousIntent.files.length === 0) return "none";
  const states = new Set<string>();
  for (const file of previousIntent.files) states.add(await view.publisher.stateOf(file));
  if (states.has("absent")) {
    await clear(previousIntent, view);
    return "none";
  }
  return states.has("ready") ? "ready" : "published";
};

/** Deletes what is left of an intent, so that a new attempt does not collide with the task's own files. */
export const clear = async (intent: Intent, { storageOf }: StorageView): Promise<void> => {
  for (const file of intent.files) {
    // Other policies replace the file anyway; until then people can use it.
    if (!needsFreeName.has(file.existing) && file.existing !== "rename_org") continue;
    const storage = storageOf(file.final);
    if ((await storage.isOurs(file)) || (await storage.holds(file.final, file))) await storage.remove(file.final);
  }
  for (const address of listTemporaryFiles(intent)) await storageOf(address).discard(address);
};

/** The temporary files of an intent, or the temporary folders that hold them. */
export const listTemporaryFiles = ({ files }: Intent): string[] => [
  ...new Set(files.map(({ temp }) => hiddenPartOf(temp))),
];

const hiddenPartOf = (address: string): string => {
  for (let folder = address; folder.includes("/"); folder = folder.slice(0, folder.lastIndexOf("/"))) {
    if (isTempName(lastName(folder))) return folder;
  }
  return address;
};
