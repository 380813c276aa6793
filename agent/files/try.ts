import type { FileAsk, FileTold } from "../../shared/node-files.ts";
import { schemeOf } from "../../shared/storage.ts";
import type { Storage } from "../storage/storage.ts";
import type { StorageViewOf } from "../storage-view.ts";

type Try = Extract<FileAsk, { do: "try" }>;

/** Opens an address with these keys and looks at it. Throws TaskError in words, without the keys, if that fails. */
export const tryKeys = async ({ uri, keys }: Try, viewOf: StorageViewOf): Promise<FileTold> => {
  // A mount of this node would answer instead of the storage.
  const view = viewOf({ mounts: [], secrets: keys });
  try {
    return { is: "opened", message: await lookAt(view.storageOf(uri), uri) };
  } finally {
    await view.release();
  }
};

/** Addresses of HTTP have no folders that could be listed. */
const lookAt = async (storage: Storage, uri: string): Promise<string> => {
  if (/^https?$/.test(schemeOf(uri)))
    return (await storage.stat(uri)) ? "It opens." : "It opens; nothing has that address.";
  for await (const { name } of storage.list(uri)) return `It opens; ${name.slice(0, 200)} lies there.`;
  return "It opens; nothing lies there.";
};
