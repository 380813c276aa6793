import { rmSync } from "node:fs";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../shared/basics/clock.ts";
import { TaskError } from "../../shared/model/failure.ts";
import { fileIdFrom, isUnchanged, type LocalFile } from "../roots/checked-file.ts";

/** A copy of a remote file on this node, in the state in which it was written. */
export type CachedFile = LocalFile & {
  /** Attempts that are reading it now. */
  readonly users: Set<string>;
  /** On the monotonic clock: when an unused copy may be evicted. */
  keepUntil: number;
  usedAt: number;
};

/** The copies on disk: their space and their eviction. Leftovers of an earlier agent are removed at the start. */
export type CacheStore = {
  get(name: string): CachedFile | undefined;
  /** Returns a path for a file of this size and makes room for it. Throws TaskError `resources` if there is none. */
  reserve(name: string, size: number): Promise<string>;
  /** The file is written. */
  put(name: string): Promise<CachedFile>;
  /** Whether the file is as it was written; forgets it otherwise. A published copy may be the same file under another name. */
  isIntact(name: string, file: CachedFile): Promise<boolean>;
  /** The file will not be written after all. */
  release(name: string): Promise<void>;
  all(): Iterable<CachedFile>;
  /** Removes unused copies. */
  sweep(): Promise<void>;
};

export type CacheStoreNeeds = { readonly folder: string; readonly limit: () => number; readonly clock: Clock };

export const openCacheStore = async ({ folder, limit, clock }: CacheStoreNeeds): Promise<CacheStore> => {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // The credentials a copy was fetched with are known only in memory.
  for (const name of await readdir(folder)) await rm(join(folder, name), { force: true, recursive: true });
  const files = new Map<string, CachedFile>();
  const reserved = new Map<string, number>();
  const pathOf = (name: string): string => join(folder, name);

  const used = (): number =>
    [...files.values()].reduce((sum, { size }) => sum + size, 0) + [...reserved.values()].reduce((a, b) => a + b, 0);

  const remove = async (name: string): Promise<void> => {
    files.delete(name);
    await rm(pathOf(name), { force: true });
  };

  const makeRoom = async (size: number): Promise<void> => {
    const unused = [...files].filter(([, { users }]) => users.size === 0).sort(([, a], [, b]) => a.usedAt - b.usedAt);
    for (const [name] of unused) {
      if (used() + size <= limit()) return;
      await remove(name);
    }
    if (used() + size <= limit()) return;
    const room = `${limit()} bytes, of which ${used()} are in use`;
    throw new TaskError("resources", `A remote file of ${size} bytes does not fit into this node's cache of ${room}`);
  };

  return {
    get: (name) => files.get(name),
    reserve: async (name, size) => {
      await makeRoom(size);
      reserved.set(name, size);
      return pathOf(name);
    },
    put: async (name) => {
      const file = await readCachedFile(pathOf(name), clock.monotonic());
      reserved.delete(name);
      files.set(name, file);
      return file;
    },
    isIntact: async (name, file) => {
      if (await isUnchanged(file)) return true;
      if (files.get(name) !== file) return false;
      files.delete(name);
      rmSync(file.path, { force: true }); // at once: the next transfer begins a file of that name
      return false;
    },
    release: async (name) => {
      reserved.delete(name);
      await rm(pathOf(name), { force: true });
    },
    all: () => files.values(),
    sweep: async () => {
      const now = clock.monotonic();
      for (const [name, { users, keepUntil }] of files) {
        if (users.size === 0 && keepUntil <= now) await remove(name);
      }
    },
  };
};

const readCachedFile = async (path: string, now: number): Promise<CachedFile> => {
  const stats = await stat(path);
  const state = { path, size: stats.size, modified: Math.floor(stats.mtimeMs), id: fileIdFrom(stats) };
  return { ...state, users: new Set(), keepUntil: now, usedAt: now };
};
