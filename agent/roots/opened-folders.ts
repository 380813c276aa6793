import type { FileHandle } from "node:fs/promises";
import { locationFrom } from "./checked-file.ts";
import type { OpenFolder } from "./open-folder.ts";

/** The folders that one attempt works in, each opened once. */
export type OpenedFolders = {
  /** The folder that is kept for this path while it is still in its place, else the one that `open` finds. */
  folder(path: string, open: () => Promise<OpenFolder | undefined>): Promise<OpenFolder | undefined>;
  release(): Promise<void>;
};

/** Of further folders none is kept: each is opened whenever it is used. */
const most = 8;

export const createOpenedFolders = (): OpenedFolders => {
  const kept = new Map<string, Kept>();
  let isReleased = false;

  return {
    folder: async (path, open) => {
      const known = kept.get(path);
      if (known && (await isInPlace(known))) return lent(known);
      const found = await open();
      if (!isKeepable(found) || isReleased || kept.has(path) || kept.size >= most) return found;
      kept.set(path, found);
      return lent(found);
    },
    release: async () => {
      isReleased = true;
      await Promise.all([...kept.values()].map(({ handle }) => handle.close()));
      kept.clear();
    },
  };
};

type Kept = OpenFolder & { readonly handle: Pick<FileHandle, "fd" | "close"> };

const isKeepable = (folder: OpenFolder | undefined): folder is Kept => folder?.handle !== undefined;

/** A folder that was moved, deleted or exchanged has another path by now. */
const isInPlace = async ({ handle, path, real }: Kept): Promise<boolean> => (await locationFrom(handle, path)) === real;

/** Whoever uses a kept folder does not close it. */
const lent = (folder: Kept): Kept => ({
  ...folder,
  handle: { fd: folder.handle.fd, close: stayOpen },
  [Symbol.asyncDispose]: stayOpen,
});

const stayOpen = async (): Promise<void> => undefined;
