import { stat, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import type { FolderIdentity } from "../../shared/files/folder-identity.ts";
import { hasFolders } from "../../shared/files/storage.ts";
import { TaskError } from "../../shared/model/failure.ts";
import { hasCode } from "../disk/file-system.ts";
import type { FileNeeds } from "./resolve-file.ts";

type Needs = Pick<FileNeeds, "storageOf" | "locate">;

/** Whether a folder that was listed exists, and which file system it is on. Undefined if its storage does not tell. */
export const readFolderLocation = async (
  uri: string,
  isEmpty: boolean,
  { storageOf, locate }: Needs,
): Promise<FolderIdentity | undefined> => {
  const storage = storageOf(uri);
  if (storage.pathOf) return localPlace(locate(uri));
  if (!isEmpty) return { isThere: true };
  if (!hasFolders(uri)) return undefined;
  try {
    return { isThere: (await storage.stat(uri.replace(/\/+$/, ""))) !== undefined };
  } catch (error) {
    if (error instanceof TaskError) return undefined; // it could be listed, so its files can be taken
    throw error;
  }
};

const localPlace = async (path: string, isThere = true): Promise<FolderIdentity> => {
  try {
    const [{ dev: device }, { type, blocks, bsize }] = await Promise.all([stat(path), statfs(path)]);
    return { isThere, on: { device, type, bytes: blocks * bsize } };
  } catch (error) {
    if (!hasCode(error, "ENOENT", "ENOTDIR") || dirname(path) === path) throw error;
    return localPlace(dirname(path), false);
  }
};
