import { basename, dirname } from "node:path";
import type { Assignment } from "../shared/protocol.ts";
import type { ExistingFiles, Intent, IntentFile } from "../shared/work.ts";
import { removeIfThere } from "./disk.ts";
import type { Locator } from "./places.ts";
import type { Publisher } from "./publish.ts";
import { isTempName } from "./temp-name.ts";

/** How far the granted intent of an earlier attempt of the same task came. */
export type Earlier = "none" | "published" | "ready";

export type EarlierNeeds = { readonly locator: Locator; readonly publisher: Publisher };

/**
 * Rolls forward what an earlier attempt was granted: all seen, or all still there to be shown. Where a part of it is
 * gone, the rest is taken away, so that the new attempt does not trip over the task's own files.
 */
export const examineEarlier = async ({ earlier }: Assignment, needs: EarlierNeeds): Promise<Earlier> => {
  if (earlier === null || earlier.files.length === 0) return "none";
  const states: string[] = [];
  for (const file of earlier.files) states.push(await needs.publisher.stateOf(file));
  if (states.every((state) => state === "published")) return "published";
  if (!states.includes("absent")) return "ready";
  for (const [index, file] of earlier.files.entries()) {
    if (states[index] === "ready") await removeAt(needs.locator, file.temp);
    if (states[index] === "published" && needsFreeName.has(file.existing)) await removeAt(needs.locator, file.final);
  }
  return "none";
};

/** Under the other policies the new attempt replaces the file anyway, and until then people have it. */
const needsFreeName: ReadonlySet<ExistingFiles> = new Set(["fail", "rename_new", "rename_org"]);

const removeAt = async (locator: Locator, uri: string): Promise<void> => {
  const path = await locator.within(uri);
  if (path !== undefined) await removeIfThere(path);
};

/** The temporary files and folders that an intent of another attempt left: they are this attempt's to clean up now. */
export const tempsOf = async ({ files }: Intent, locator: Locator): Promise<string[]> => {
  const paths = new Set<string>();
  for (const file of files) {
    const path = await tempOf(file, locator);
    if (path !== undefined) paths.add(path);
  }
  return [...paths];
};

const tempOf = async ({ temp }: IntentFile, locator: Locator): Promise<string | undefined> => {
  const path = await locator.within(temp);
  if (path === undefined || isTempName(basename(path))) return path;
  return isTempName(basename(dirname(path))) ? dirname(path) : undefined; // a file of a sequence
};
