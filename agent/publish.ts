import { rename } from "node:fs/promises";
import { dirname } from "node:path";
import { TaskError } from "../shared/causes.ts";
import { pathToUri } from "../shared/location.ts";
import type { ExistingFiles, Intent, IntentFile } from "../shared/work.ts";
import type { Checkpoint } from "./checkpoint.ts";
import { createOnly } from "./create-only.ts";
import { lstatIfThere, syncFolder } from "./disk.ts";
import { identityOf } from "./file-identity.ts";
import { firstFree, keepOriginal } from "./free-name.ts";
import type { Locator } from "./places.ts";

type FileState = "published" | "ready" | "absent";

export type Publisher = {
  /** How far a granted file came: seen, still to be shown, or gone. */
  stateOf(file: IntentFile): Promise<FileState>;
  /**
   * Shows all files of a granted intent; repeats safely after a crash. Gives the intent back changed where a name was
   * taken meanwhile and the policy is to choose another: that intent wants a grant of its own.
   */
  publish(intent: Intent): Promise<{ readonly done: boolean; readonly intent: Intent }>;
};

export type PublisherNeeds = { readonly locator: Locator; readonly checkpoint: Checkpoint };

type Move = { readonly temp: string; readonly final: string; readonly identity: string };

export const createPublisher = ({ locator, checkpoint }: PublisherNeeds): Publisher => {
  /** Folders are checked anew each time: a link may have been put in their place since the attempt began. */
  const find = async (file: IntentFile) => {
    const [temp, final] = [await locator.within(file.temp), await locator.within(file.final)];
    return { temp, final, state: await stateAt(file, temp, final) };
  };
  const publishOne = async (file: IntentFile): Promise<IntentFile> => {
    const { temp, final, state } = await find(file);
    if (state === "published") return file;
    if (state === "absent" || temp === undefined || final === undefined) {
      throw new TaskError(
        "storage",
        `${file.temp} was made, but is gone or changed: ${file.final} cannot be published`,
      );
    }
    const isShown = await shows[file.existing]({ temp, final, identity: file.identity }, checkpoint);
    if (!isShown) return { ...file, final: renamed(file.final, await firstFree(final)) };
    await syncFolder(dirname(final));
    return file;
  };
  return {
    stateOf: async (file) => (await find(file)).state,
    publish: async ({ files }) => {
      const now: IntentFile[] = [];
      for (const file of files) now.push(await publishOne(file));
      return { done: now.every((file, index) => file.final === files[index]?.final), intent: { files: now } };
    },
  };
};

const stateAt = async (file: IntentFile, temp: string | undefined, final: string | undefined): Promise<FileState> => {
  if (temp !== undefined && (await matches(temp, file))) return "ready";
  if (final !== undefined && (await matches(final, file))) return "published";
  return "absent";
};

const matches = async (path: string, { size, identity }: IntentFile): Promise<boolean> => {
  const stats = await lstatIfThere(path);
  if (!stats?.isFile() || stats.size !== size) return false;
  return (await identityOf(path))?.identity === identity;
};

type Show = (move: Move, checkpoint: Checkpoint) => Promise<boolean>;

const replace: Show = async ({ temp, final }, checkpoint) => {
  await rename(temp, final);
  await checkpoint("linked");
  return true;
};

/** One way of showing a file for each policy. False: the name is taken and another is to be chosen. */
const shows: Record<ExistingFiles, Show> = {
  replace,
  replace_late: replace,
  delete_and_replace: replace,
  rename_org: async (move, checkpoint) => {
    if (await lstatIfThere(move.final)) await keepOriginal(move.final);
    return replace(move, checkpoint);
  },
  rename_new: async (move, checkpoint) => (await createOnly(move, checkpoint)) === "created",
  fail: async (move, checkpoint) => {
    if ((await createOnly(move, checkpoint)) === "created") return true;
    throw new TaskError("definition", `${move.final} exists already and existing_files is fail`);
  },
};

/** The URI with its last part replaced by a path's. */
export const renamed = (uri: string, path: string): string => {
  const name = path.split(/[\\/]/).at(-1) ?? "";
  const folder = uri.slice(0, uri.lastIndexOf("/"));
  return `${folder}/${uri.startsWith("file:") ? pathToUri(`/${name}`, "posix").slice("file:///".length) : name}`;
};
