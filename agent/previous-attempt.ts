import type { Assignment } from "../shared/protocol.ts";
import type { Intent } from "../shared/work.ts";
import { needsFreeName } from "./storage/publish-mode.ts";
import type { StorageView } from "./storage-view.ts";
import { isTempName, lastName } from "./temp-name.ts";

/** How far the granted intent of an earlier attempt of the same task came. */
export type PreviousState = "none" | "published" | "ready";

/**
 * Rolls forward what an earlier attempt was granted: all seen, or all still there to be shown. Where a part of it is
 * gone, the rest is taken away.
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

/** Takes away what is left of an intent, so that what is made anew does not trip over the task's own files. */
export const clear = async (intent: Intent, { storageOf }: StorageView): Promise<void> => {
  for (const file of intent.files) {
    // Under the other policies it is replaced anyway, and until then people have it.
    if (!needsFreeName.has(file.existing) && file.existing !== "rename_org") continue;
    const storage = storageOf(file.final);
    if ((await storage.isOurs(file)) || (await storage.holds(file.final, file))) await storage.remove(file.final);
  }
  for (const address of tempsOf(intent)) await storageOf(address).discard(address);
};

/** Where the files of an intent wait, and the folders of those that wait together: whose intent it is cleans them up. */
export const tempsOf = ({ files }: Intent): string[] => [...new Set(files.map(({ temp }) => hiddenPartOf(temp)))];

const hiddenPartOf = (address: string): string => {
  for (let folder = address; folder.includes("/"); folder = folder.slice(0, folder.lastIndexOf("/"))) {
    if (isTempName(lastName(folder))) return folder;
  }
  return address;
};
