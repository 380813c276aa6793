import { open } from "node:fs/promises";
import type { Clock } from "../../shared/basics/clock.ts";
import type { Abilities } from "../../shared/files/storage.ts";
import { capabilityError, TaskError } from "../../shared/model/failure.ts";
import { isTempName } from "../../shared/work/temp-names.ts";
import type { PacedFile } from "./paced-file.ts";
import { writeResuming } from "./resuming-write.ts";
import { type Patience, retry } from "./retry.ts";
import { identityFrom } from "./sampled-identity.ts";
import type { Storage } from "./storage.ts";
import { lastName } from "./temp-name.ts";

/**
 * The operations required of a server with files and folders; names are URIs, and each operation is complete in itself.
 */
export type FileServer = Pick<Storage, "stat" | "list" | "read" | "remove" | "removeFolder"> & {
  /** Creates the folder and its parents; existing ones are fine. */
  makeFolder(uri: string): Promise<void>;
  /** Writes a local file from an offset on: from 0 it replaces any file, else it follows what is there. */
  write(uri: string, writing: Writing): Promise<void>;
  /** Renames a file, replacing any file of the new name. */
  move(from: string, to: string): Promise<void>;
  /** The same only if the name is free, atomically. */
  readonly moveIfFree?: (from: string, to: string) => Promise<"created" | "taken">;
};

/** Offsets above 0 are for servers with the ability `continues`. */
export type Writing = { readonly file: PacedFile; readonly signal: AbortSignal };

export type HiddenNames = {
  readonly server: FileServer;
  readonly abilities: Abilities;
  readonly clock: Clock;
  readonly patience: Patience;
};

/** Storage on a server that can rename: files wait under hidden names beside their targets. */
export const storageOfServer = ({ server, abilities, clock, patience }: HiddenNames): Storage => {
  const { stat, list, read, remove, removeFolder, makeFolder, move, moveIfFree } = server;
  return {
    ...{ abilities, patience, stat, list, read, remove, removeFolder },
    refuse: async (folder) => {
      if (!abilities.writing) throw capabilityError(`${folder}: nothing can be written there`);
    },
    prepare: makeFolder,
    holds: (uri, wanted) => holds(server, uri, wanted),
    stage: async ({ path, move: { temp, size }, signal, pace, onBytes, onBreak }) => {
      await writeResuming({
        ...{ uri: temp, clock, patience, signal, onBreak },
        write: async (from) => {
          if (from === 0) await makeFolder(folderOf(temp)); // belongs to a package
          const onSent = (sent: number): void => onBytes(from + sent);
          await server.write(temp, { file: { path, from, length: size - from, pace, onBytes: onSent }, signal });
        },
        ...(abilities.continues && { arrived: () => arrivedOf(server, temp, path) }),
      });
      const there = await retry({ clock, patience, signal, act: () => stat(temp) });
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

const tail = 64 * 1024;

/** How many bytes of a local file lie under a name. 0 if the last of them are others. */
const arrivedOf = async (
  { stat, read }: Pick<Storage, "stat" | "read">,
  uri: string,
  path: string,
): Promise<number> => {
  const size = (await stat(uri))?.size ?? 0;
  const from = Math.max(0, size - tail);
  const there = await bytesOf(read(uri, { from, length: size - from }, never));
  await using file = await open(path, "r");
  const { buffer, bytesRead } = await file.read(Buffer.alloc(there.length), 0, there.length, from);
  return bytesRead === there.length && buffer.equals(there) ? size : 0;
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
export const bytesOf = async (stream: AsyncIterable<Uint8Array>): Promise<Buffer> =>
  Buffer.concat(await Array.fromAsync(stream, (part) => Buffer.from(part))); // a part's memory may be used again
