import { TaskError } from "../../shared/causes.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Abilities } from "../../shared/storage.ts";
import { isTempName, lastName } from "../temp-name.ts";
import { retry } from "./retry.ts";
import { identityFrom } from "./sampled-identity.ts";
import type { Sending, Storage } from "./storage.ts";

/** What a server of files and folders is asked to do; each name a URI, each whole in itself. */
export type FileServer = Pick<Storage, "stat" | "list" | "read" | "remove" | "removeFolder"> & {
  /** The folder and those above it; being there already is fine. */
  makeFolder(uri: string): Promise<void>;
  /** All bytes of a local file under a name, whatever has it. */
  write(uri: string, sending: Pick<Sending, "path" | "signal" | "onBytes">): Promise<void>;
  /** Gives a file another name, whatever has that. */
  move(from: string, to: string): Promise<void>;
  /** The same only where the name is free, in one step. */
  readonly moveIfFree?: (from: string, to: string) => Promise<"created" | "taken">;
};

export type HiddenNames = {
  readonly server: FileServer;
  readonly abilities: Abilities;
  readonly clock: Clock;
};

/** Storage made of a server that renames: files wait under hidden names beside their targets. */
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
        await makeFolder(folderOf(temp)); // a package's own
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
    isOurs: async () => false, // a name shows a file whole or not at all: what is ours is known by its bytes
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

/** Whether a file with these bytes, as far as samples tell, has the name. */
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

/** All bytes of a short read. */
export const bytesOf = async (stream: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const parts: Uint8Array[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
};
