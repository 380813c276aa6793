import { mkdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { TaskError } from "../../../shared/causes.ts";
import { abilities } from "../../../shared/storage.ts";
import { lstatIfThere, removeIfThere, syncFolder } from "../../disk.ts";
import { isTempName } from "../../temp-name.ts";
import type { Move, Provider, Storage, StorageNeeds } from "../storage.ts";
import { createOnly, isOurs, type PathMove } from "./create-only.ts";
import { identityOf } from "./identity.ts";
import { listFolder, readFile } from "./reading.ts";
import { giveSecondName } from "./second-name.ts";
import { sendBeside } from "./stage.ts";

const has = abilities("createOnly", "atomicReplace", "showsWhole", "rename", "ranges", "listing", "writing");

/** Folders of this node, and addresses covered by mounts. Files wait under hidden names beside their targets. */
export const file: Provider = { abilities: has, open: (needs) => openFiles(needs) };

const openFiles = ({ locate, roots, checkpoint }: StorageNeeds): Storage => {
  /** Folders are checked every time, because a link may have replaced one. Undefined if there is none. */
  const within = async (uri: string): Promise<string | undefined> => {
    const path = locate(uri);
    const folder = await roots.ifThere(dirname(path));
    return folder === undefined ? undefined : join(folder, basename(path));
  };
  const target = async (uri: string): Promise<string> => {
    const path = await within(uri);
    if (path === undefined) throw new TaskError("storage", `The folder of ${uri} is gone`);
    return path;
  };
  /** The waiting file is in the same folder as its target, so one check covers both. */
  const pathsOf = async (move: Move): Promise<PathMove> => {
    const { identity } = move;
    const [tempPath, final] = [locate(move.temp), await target(move.final)];
    const isBeside = dirname(tempPath) === dirname(locate(move.final));
    return { temp: isBeside ? join(dirname(final), basename(tempPath)) : await target(move.temp), final, identity };
  };
  const shown = async ({ final }: PathMove): Promise<void> => {
    await checkpoint("linked");
    await syncFolder(dirname(final));
  };
  return {
    abilities: has,
    pathOf: locate,
    refuse: (folder) => roots.mayCreate(locate(folder)),
    prepare: async (folder) => {
      await mkdir(locate(folder), { recursive: true });
      await roots.existing(locate(folder)); // checked again: creating it may have followed a link
    },
    stat: async (uri) => {
      const path = await within(uri);
      const stats = path === undefined ? undefined : await lstatIfThere(path);
      return stats && { isFile: !stats.isDirectory(), size: stats.size, modified: Math.floor(stats.mtimeMs) };
    },
    holds: async (uri, { size, identity }) => {
      const path = await within(uri);
      const stats = path === undefined ? undefined : await lstatIfThere(path);
      if (path === undefined || !stats?.isFile() || stats.size !== size) return false;
      return (await identityOf(path))?.identity === identity;
    },
    list: (folder) => listFolder(roots.ifThere(locate(folder))),
    read: (uri, range, signal) => readFile(roots.existing(locate(uri)), range, signal),
    remove: async (uri) => {
      const path = await within(uri);
      if (path !== undefined) await removeIfThere(path);
    },
    removeFolder: async (uri) => {
      const path = await roots.removable(locate(uri));
      if (path !== undefined) await rm(path, { recursive: true, force: true });
    },
    stage: async (sending) => {
      await roots.mayCreate(dirname(locate(sending.move.temp)));
      await mkdir(dirname(locate(sending.move.temp)), { recursive: true });
      return sendBeside(sending, await target(sending.move.temp));
    },
    discard: async (address) => {
      const path = isTempName(basename(locate(address))) ? await within(address) : undefined;
      if (path !== undefined) await removeIfThere(path);
    },
    isOurs: async (move) => {
      const [temp, final] = [await within(move.temp), await within(move.final)];
      return final !== undefined && isOurs({ temp, final, identity: move.identity });
    },
    replace: async (move) => {
      const paths = await pathsOf(move);
      await rename(paths.temp, paths.final);
      await shown(paths);
    },
    create: async (move) => {
      const paths = await pathsOf(move);
      const result = await createOnly(paths, checkpoint);
      if (result === "created") await syncFolder(dirname(paths.final));
      return result;
    },
    setAside: async (uri, to) => giveSecondName(await target(uri), await target(to)),
  };
};
