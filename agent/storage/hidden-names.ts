import { TaskError } from "../../shared/causes.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Abilities } from "../../shared/storage.ts";
import { isTempName, lastName } from "../temp-name.ts";
import { retry } from "./retry.ts";
import { identityFrom } from "./sampled-identity.ts";
import type { Sending, Storage } from "./storage.ts";

/**
 * The operations required of a server with files and folders; names are URIs, and each operation is complete in itself.
 */
export type FileServer = Pick<Storage, "stat" | "list" | "read" | "remove" | "removeFolder"> & {
  /** Creates the folder and its parents; existing ones are fine. */
  makeFolder(uri: string): Promise<void>;
  /** Writes all bytes of a local file under a name, replacing any file. */
  write(uri: string, sending: Pick<Sending, "path" | "signal" | "onBytes">): Promise<void>;
  /** Renames a file, replacing any file of the new name. */
  move(from: string, to: string): Promise<void>;
  /** The same only if the name is free, atomically. */
  readonly moveIfFree?: (from: string, to: string) => Promise<"created" | "taken">;
};

export type HiddenNames = {
  readonly server: FileServer;
  readonly abilities: Abilities;
  readonly clock: Clock;
};

/** Storage on a server that can rename: files wait under hidden names beside their targets. */
export const storageOfServer = ({ server, abilities, clock }: HiddenNames): Storage => {
  const { stat, list, read, remove, removeFolder, makeFolder, move, moveIfFree } = server;
  return {
    ...{ abilities, stat, list, read, remove, removeFolder },
    refuse: async (folder) => {
      if (!abilities.writing) throw new TaskError("capability", `${folder}: nothing can be written there`);
    },
    prepare: makeFolder,
    holds: (uri, wanted) => holds(server, uri, wanted),
    stage: async ({ path, move: { temp, size }, signal, onBytes }) => {
      await retry(clock, signal, async () => {
        await makeFolder(folderOf(temp)); // belongs to a package
        await server.write(temp, { path, signal, onBytes });
      });
      const there = await stat(temp);
      if (there?.size === size) return temp;
      throw new TaskError("storage", `${temp} has ${there?.size ?? "none"} of ${size} bytes after it was sent`);
    },
    discard: async (address) => {
      if (!isTempName(lastName(address))) return;
      await (address.endsWith(".parts") ? removeFolder(address) : remove(address));
    },
    isOurs: async () => false, // a name shows only complete files, so ours is recognised by its bytes
    replace: ({ temp, final }) => move(temp, final),
    ...(abilities.createOnly && moveIfFree && { create: ({ temp, final }) => moveIfFree(temp, final) }),
    ...(abilities.rename && {
      setAside: async (uri, to) => {
        if (await stat(to)) return false;
        await move(uri, to);
        return true;
      },
    }),
  };
};

export const folderOf = (uri: string): string => uri.slice(0, uri.lastIndexOf("/"));

/** Whether the file with this name has these bytes, judged by samples. */
export const holds = async (
  { stat, read }: Pick<Storage, "stat" | "read">,
  uri: string,
  wanted: { readonly size: number; readonly identity: string },
): Promise<boolean> => {
  const there = await stat(uri);
  if (!there?.isFile || there.size !== wanted.size) return false;
  const found = await identityFrom(there.size, async (from, length) => bytesOf(read(uri, { from, length }, never)));
  return found.identity === wanted.identity;
};

const never = new AbortController().signal;

/** Reads all bytes of a short read. */
export const bytesOf = async (stream: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const parts: Uint8Array[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
};
