import { createHash } from "node:crypto";
import type { Clock } from "../../shared/basics/clock.ts";
import { orAborted } from "../../shared/basics/or-aborted.ts";
import { sourceError, TaskError } from "../../shared/model/failure.ts";
import { hasCode } from "../disk/file-system.ts";
import { createFlushedFile } from "../disk/flushed-file.ts";
import type { LocalFile } from "../roots/checked-file.ts";
import { readResuming, refuseChanged } from "../storage/resuming-read.ts";
import type { FileStat, Storage } from "../storage/storage.ts";
import { failureAt } from "../storage/storage-error.ts";
import { type CachedFile, openCacheStore } from "./store.ts";

export type Fetch = {
  readonly uri: string;
  readonly storage: Storage;
  /** Identifies the credentials: a caller with other credentials must not get this copy. */
  readonly keyring: string;
  /** Seconds to keep the copy, used or not. */
  readonly keepSec?: number | undefined;
  /** The attempt that uses it. */
  readonly user: string;
  readonly signal: AbortSignal;
  readonly onBytes?: ((fetched: number, of: number) => void) | undefined;
  readonly onBreak?: ((words: string) => void) | undefined;
};

/** A bounded cache of remote files for programs that can read only local files; each file is fetched once at a time. */
export type Cache = {
  fetch(fetch: Fetch): Promise<{ readonly copy: LocalFile; readonly stat: FileStat }>;
  /** The copy of a file in the state that was seen, if there is one already. */
  known(wish: Pick<Fetch, "uri" | "keyring" | "user">, stat: FileStat): Promise<LocalFile | undefined>;
  /** The attempt is over: the files it used may be evicted. */
  release(user: string): void;
  stop(): void;
};

/** The next task of the same job usually begins within this time and needs the same file. */
const graceMs = 5 * 60_000;
const sweepMs = 30_000;

export type CacheNeeds = { readonly folder: string; readonly limit: () => number; readonly clock: Clock };

export const openCache = async ({ folder, limit, clock }: CacheNeeds): Promise<Cache> => {
  const store = await openCacheStore({ folder, limit, clock });
  const running = new Map<string, Running>();
  const stopSweeping = clock.every(sweepMs, () => void store.sweep().catch(() => undefined)); // tried again shortly

  const use = (file: CachedFile, { user, keepSec = 0 }: Pick<Fetch, "user" | "keepSec">): void => {
    file.users.add(user);
    file.usedAt = clock.monotonic();
    file.keepUntil = Math.max(file.keepUntil, file.usedAt + Math.max(graceMs, keepSec * 1000));
  };

  const start = (name: string, wish: Fetch, stat: FileStat): Running => {
    const abort = new AbortController();
    const listeners = new Set<Fetch>();
    const done = transfer({ ...wish, signal: abort.signal }, { store, name, stat, clock, listeners }).finally(() =>
      running.delete(name),
    );
    done.catch(() => undefined); // the waiting callers get the error
    return { abort, listeners, done };
  };

  return {
    fetch: async (wish) => {
      const stat = await wish.storage.stat(wish.uri);
      if (!stat) throw failureAt(wish.uri, "missing");
      if (!stat.isFile) throw sourceError(`${wish.uri} is a folder, not a file`);
      const name = nameOf(wish, stat);
      const known = store.get(name);
      if (known && (await store.isIntact(name, known))) {
        use(known, wish);
        return { copy: known, stat };
      }
      const now = running.get(name) ?? start(name, wish, stat);
      running.set(name, now);
      const file = await join(now, wish);
      use(file, wish);
      return { copy: file, stat };
    },
    known: async (wish, stat) => {
      const name = nameOf(wish, stat);
      const file = store.get(name);
      if (!file || !(await store.isIntact(name, file))) return undefined;
      use(file, wish);
      return file;
    },
    release: (user) => {
      for (const { users } of store.all()) users.delete(user);
    },
    stop: stopSweeping,
  };
};

type Running = {
  readonly abort: AbortController;
  readonly listeners: Set<Fetch>;
  readonly done: Promise<CachedFile>;
};

/** Waits for a transfer, which is aborted once nobody waits for it any more. */
const join = async ({ abort, listeners, done }: Running, wish: Fetch): Promise<CachedFile> => {
  listeners.add(wish);
  try {
    return await orAborted(done, wish.signal);
  } finally {
    listeners.delete(wish);
    if (listeners.size === 0) abort.abort();
  }
};

const nameOf = ({ uri, keyring }: Pick<Fetch, "uri" | "keyring">, { size, modified, tag }: FileStat): string =>
  createHash("sha256")
    .update(JSON.stringify([uri, size, tag ?? modified, keyring]))
    .digest("hex");

type Transfer = {
  readonly store: Awaited<ReturnType<typeof openCacheStore>>;
  readonly name: string;
  readonly stat: FileStat;
  readonly clock: Clock;
  readonly listeners: ReadonlySet<Fetch>;
};

const transfer = async (wish: Fetch, { store, name, stat, clock, listeners }: Transfer): Promise<CachedFile> => {
  const { uri, storage, signal } = wish;
  const path = await store.reserve(name, stat.size);
  try {
    const onBreak = (words: string): void => {
      for (const each of listeners) each.onBreak?.(words);
    };
    await using file = await createFlushedFile(path, { isFlushed: false });
    let fetched = 0;
    for await (const part of readResuming({ storage, uri, seen: stat, range: { from: 0 }, clock, signal, onBreak })) {
      await file.append(part);
      fetched += part.length;
      for (const each of listeners) each.onBytes?.(fetched, stat.size);
    }
    await file.end();
    await refuseChanged(storage, uri, stat);
    return await store.put(name);
  } catch (error) {
    await store.release(name);
    if (hasCode(error, "ENOSPC", "EDQUOT"))
      throw new TaskError("resources", `The disk of this node is full: ${uri} cannot be fetched`);
    throw error;
  }
};
