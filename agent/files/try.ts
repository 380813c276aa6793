import { schemeOf } from "../../shared/files/storage.ts";
import { TaskError } from "../../shared/model/failure.ts";
import type { FileRequest, FileResponse } from "../../shared/protocol/node-files.ts";
import { toFailure } from "../disk/task-failure.ts";
import type { StorageViewOf } from "../paths/storage-view.ts";
import type { Storage } from "../storage/storage.ts";

type Try = Extract<FileRequest, { do: "try" }>;

/** Opens an address with these keys and looks at it. Throws TaskError in words, without the keys, if that fails. */
export const tryKeys = async ({ uri, keys }: Try, viewOf: StorageViewOf): Promise<FileResponse> => {
  // A mount of this node would answer instead of the storage.
  const view = viewOf({ mounts: [], secrets: keys });
  try {
    return { is: "opened", message: await statAddress(view.storageOf(uri), uri) };
  } catch (error) {
    const { cause, message } = toFailure(error, view.named);
    throw new TaskError(cause, message);
  } finally {
    await view.release();
  }
};

/** Addresses of HTTP have no folders that could be listed. */
const statAddress = async (storage: Storage, uri: string): Promise<string> => {
  if (/^https?$/.test(schemeOf(uri)))
    return (await storage.stat(uri)) ? "It opens." : "It opens; nothing has that address.";
  for await (const { name } of storage.list(uri)) return `It opens; ${name.slice(0, 200)} lies there.`;
  return "It opens; nothing lies there.";
};
