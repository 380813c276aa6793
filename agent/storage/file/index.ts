import { rename } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { abilities } from "../../../shared/files/storage.ts";
import { TaskError } from "../../../shared/model/failure.ts";
import { isTempName } from "../../../shared/work/temp-names.ts";
import { lstatIfThere, syncFolder } from "../../disk/file-system.ts";
import { inFolder, makeFolder, removeTree } from "../../roots/open-folder.ts";
import type { Move, Provider, Storage, StorageNeeds } from "../storage.ts";
import { createOnly, isOurs, type PathMove } from "./create-only.ts";
import { readIdentity } from "./identity.ts";
import { listFolder, readFile } from "./reading.ts";
import { giveSecondName } from "./second-name.ts";
import { sendBeside } from "./stage.ts";

const has = abilities("createOnly", "atomicReplace", "showsWhole", "rename", "ranges", "listing", "writing");

/** Folders of this node, and addresses covered by mounts. Files wait under hidden names beside their targets. */
export const file: Provider = { abilities: has, open: (needs) => openFiles(needs) };

const openFiles = ({ locate, roots, checkpoint }: StorageNeeds): Storage => {
  const { within, target, moving } = createPlaces({ locate, roots });
  const statOf = (uri: string) => within(uri, lstatIfThere);
  return {
    abilities: has,
    pathOf: locate,
    refuse: (folder) => roots.mayCreate(locate(folder)),
    prepare: (folder) => makeFolder(roots, locate(folder)),
    stat: async (uri) => {
      const stats = await statOf(uri);
      return stats && { isFile: !stats.isDirectory(), size: stats.size, modified: Math.floor(stats.mtimeMs) };
    },
    holds: async (uri, { size, identity }) => {
      const isIt = await within(uri, async (path) => {
        const stats = await lstatIfThere(path);
        return stats?.isFile() && stats.size === size && (await readIdentity(path))?.identity === identity;
      });
      return isIt ?? false;
    },
    list: (folder) => listFolder(roots, locate(folder)),
    read: (uri, range, signal) => readFile(roots.existing(locate(uri)), range, signal),
    remove: async (uri) => {
      await within(uri, (path) => removeTree(path));
    },
    removeFolder: async (uri) => {
      const path = await roots.removable(locate(uri));
      if (path !== undefined)
        await inFolder(roots, dirname(path), (folder) => removeTree(join(folder, basename(path))));
    },
    stage: async (sending) => {
      const { temp } = sending.move;
      await makeFolder(roots, dirname(locate(temp)));
      return target(temp, (path) => sendBeside(sending, path));
    },
    discard: async (address) => {
      if (isTempName(basename(locate(address)))) await within(address, (path) => removeTree(path));
    },
    isOurs: async ({ temp, final, identity }) => {
      const isIt = await within(final, async (to) => {
        const both = await within(temp, (from) => isOurs({ temp: from, final: to, identity }));
        return both ?? isOurs({ temp: undefined, final: to, identity });
      });
      return isIt ?? false;
    },
    replace: (move) =>
      moving(move, async ({ temp, final }) => {
        await rename(temp, final);
        await checkpoint("linked");
      }),
    flush: async (uris) => {
      for (const folder of new Set(uris.map((uri) => dirname(locate(uri))))) await inFolder(roots, folder, syncFolder);
    },
    create: (move) => moving(move, (paths) => createOnly(paths, checkpoint)),
    setAside: (uri, to) => target(uri, (path) => target(to, (other) => giveSecondName(path, other))),
  };
};

/** Acts on addresses within folders that were checked. */
const createPlaces = ({ locate, roots }: Pick<StorageNeeds, "locate" | "roots">) => {
  /** The folder is checked every time, because a link may have replaced it. Undefined if there is none. */
  const within = <T>(uri: string, act: (path: string) => Promise<T>): Promise<T | undefined> => {
    const path = locate(uri);
    return inFolder(roots, dirname(path), (folder) => act(join(folder, basename(path))));
  };
  const target = async <T>(uri: string, act: (path: string) => Promise<T>): Promise<T> => {
    const acted = await within(uri, async (path) => ({ result: await act(path) }));
    if (acted) return acted.result;
    throw new TaskError("storage", `The folder of ${uri} is gone`);
  };
  /** The waiting file is usually in the same folder as its target, which is then opened once. */
  const moving = <T>({ temp, final, identity }: Move, act: (paths: PathMove) => Promise<T>): Promise<T> =>
    target(final, (to) => {
      const isBeside = dirname(locate(temp)) === dirname(locate(final));
      if (isBeside) return act({ temp: join(dirname(to), basename(locate(temp))), final: to, identity });
      return target(temp, (from) => act({ temp: from, final: to, identity }));
    });
  return { within, target, moving };
};
