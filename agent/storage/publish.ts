import { extname } from "node:path";
import { definitionError } from "../../shared/model/failure.ts";
import { nameOfTemp } from "../../shared/work/temp-names.ts";
import type { Intent, IntentFile } from "../../shared/work/work.ts";
import { firstFree, keepOriginal, unnumbered } from "./free-name.ts";
import type { StorageOf } from "./index.ts";
import { choosePublishMode, needsFreeName, type PublishAction } from "./publish-mode.ts";
import type { Storage } from "./storage.ts";
import { lastName } from "./temp-name.ts";

const playlists = new Set([".m3u8", ".mpd"]);

/** Whether a file names others. */
export const isPlaylist = (name: string): boolean => playlists.has(extname(name));

type FileState = "published" | "ready" | "absent";

/**
 * done: all files are published · renamed: a name was taken and the policy chose another one; the changed intent needs
 * its own grant · gone: a file is neither waiting nor published.
 */
export type Shown =
  | { readonly outcome: "done" }
  | { readonly outcome: "renamed"; readonly intent: Intent }
  | { readonly outcome: "gone"; readonly file: IntentFile };

export type Publisher = {
  /** How far a granted file got: published, ready to publish, or gone. */
  stateOf(file: IntentFile): Promise<FileState>;
  /** Publishes all files of a granted intent in order. Safe to repeat after a crash. */
  publish(intent: Intent): Promise<Shown>;
};

export const createPublisher = (storageOf: StorageOf): Publisher => {
  const stateOf = (file: IntentFile): Promise<FileState> => stateAt(storageOf(file.final), file);
  const publishOne = async (file: IntentFile): Promise<IntentFile | "gone" | "taken"> => {
    const storage = storageOf(file.final);
    const state = await stateOf(file);
    if (state !== "ready") return state === "absent" ? "gone" : file;
    try {
      const isShown = await acts[choosePublishMode(file.existing, storage.abilities).act](storage, file);
      return isShown ? file : await taken(storage, file);
    } catch (error) {
      // A node that was thought lost may be publishing the same file at this moment: then it is done.
      if ((await stateOf(file)) === "published") return file;
      throw error;
    }
  };
  return {
    stateOf,
    publish: async ({ files }) => {
      const now: IntentFile[] = [];
      let flushed = 0;
      const flush = async (): Promise<void> => {
        await flushNames(now.slice(flushed), storageOf);
        flushed = now.length;
      };
      for (const file of files) {
        if (isPlaylist(file.final)) await flush(); // also after a power cut, the files that it names exist
        const shown = await publishOne(file);
        if (shown === "gone") return { outcome: "gone", file };
        if (shown === "taken") {
          await withdraw(now, storageOf);
          throw definitionError(`${file.final} already exists, and existing_files is fail`);
        }
        now.push(shown);
      }
      await flush();
      const isRenamed = now.some((file, index) => file.final !== files[index]?.final);
      return isRenamed ? { outcome: "renamed", intent: { files: now } } : { outcome: "done" };
    },
  };
};

const stateAt = async (storage: Storage, file: IntentFile): Promise<FileState> => {
  if (await storage.holds(file.temp, file)) return "ready";
  return (await storage.holds(file.final, file)) ? "published" : "absent";
};

/** False: another file has the name. */
type Show = (storage: Storage, file: IntentFile) => Promise<boolean>;

const replace: Show = async (storage, file) => {
  await storage.replace(file);
  return true;
};

const acts: Record<PublishAction, Show> = {
  replace,
  create: async ({ create }, file) => (await create?.(file)) === "created",
  check_and_replace: async (storage, file) => {
    if ((await storage.stat(file.final)) && !(await storage.isOurs(file))) return false;
    return replace(storage, file);
  },
  set_aside_and_replace: async (storage, file) => {
    const { stat, setAside } = storage;
    if (setAside && (await stat(file.final))) await keepOriginal(file.final, setAside);
    return replace(storage, file);
  },
};

const taken = async (storage: Storage, file: IntentFile): Promise<IntentFile | "taken"> => {
  if ((await stateAt(storage, file)) === "published") return file;
  if (file.existing === "fail") return "taken";
  const hidden = lastName(file.temp);
  const wanted = unnumbered(file.final, nameOfTemp(hidden) ?? hidden);
  return { ...file, final: await firstFree(wanted, async (uri) => (await storage.stat(uri)) !== undefined) };
};

const flushNames = async (files: readonly IntentFile[], storageOf: StorageOf): Promise<void> => {
  const byStorage = Map.groupBy(
    files.map(({ final }) => final),
    storageOf,
  );
  for (const [{ flush }, uris] of byStorage) await flush?.(uris);
};

/**
 * If a name turns out to be taken halfway through, removes the files published so far: half a package must not stay,
 * and the retry must not collide with it. After other failures they stay: another node may finish the same grant.
 */
const withdraw = async (shown: readonly IntentFile[], storageOf: StorageOf): Promise<void> => {
  for (const file of shown.filter(({ existing }) => needsFreeName.has(existing))) {
    const storage = storageOf(file.final);
    if (await storage.holds(file.final, file)) await storage.remove(file.final);
  }
};
