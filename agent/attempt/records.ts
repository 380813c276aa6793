import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import type { Key } from "../../shared/credentials/credentials.ts";
import { type Mount, mount } from "../../shared/files/mounts.ts";
import { TaskError } from "../../shared/model/failure.ts";
import { type Assignment, assignment, attemptStats, type Fence, fenceKey } from "../../shared/protocol/messages.ts";
import { intent, published } from "../../shared/work/work.ts";
import { readTextIfThere, statIfThere } from "../disk/file-system.ts";
import { parseJsonAs } from "../disk/json.ts";
import {
  flushOwnFolder,
  makeOwnFolder,
  removeOwnFile,
  removeOwnFolder,
  writeDurably,
  writeOwnFile,
} from "../disk/own-files.ts";
import type { StorageViewOf } from "../paths/storage-view.ts";
import type { StorageOf } from "../storage/index.ts";

const attemptRecord = z.strictObject({
  farmId: z.string(),
  assignment,
  /** The mounts it started with, used until its end. */
  mounts: z.array(mount),
  /** The addresses of everything it makes outside the data folder. */
  temps: z.array(z.string()),
  /** It came with credentials for remote storage, which are never written to disk. */
  needsKeys: z.boolean(),
});

/** What an attempt has made, and how. Written to disk before the grant is requested. */
const madeSchema = z.strictObject({
  intent,
  found: published.shape.found,
  stats: attemptStats,
  log: z.string(),
});
export type Made = z.output<typeof madeSchema>;

type StoredAttempt = {
  readonly assignment: Assignment;
  readonly mounts: readonly Mount[];
  /** Undefined: it was still running. */
  readonly made: Made | undefined;
};

type Traces = { readonly mounts: readonly Mount[]; readonly temps: readonly string[] };

type Recorded = {
  readonly attempt: Assignment;
  traces: Traces;
  isSwept: boolean;
  /**
   * The credentials of its remote storage, only in memory; undefined after a restart until the coordinator sends them
   * again.
   */
  keys: readonly Key[] | undefined;
};

/** Attempts on disk, one folder each: what a new agent needs to continue or clean up after a crash. */
export type Records = {
  /** Called before the attempt makes anything: files without a record would never be swept. */
  begin(attempt: Assignment, traces: Traces): Promise<void>;
  /** Adds an address that the attempt is about to write to. */
  addTemp(fence: Fence, temp: string): Promise<void>;
  keepMade(fence: Fence, made: Made): Promise<void>;
  /** The attempt's own folder, created by `begin`. */
  scratch(fence: Fence): string;
  load(): Promise<StoredAttempt[]>;
  /** Attempts whose storage cannot be opened: their credentials were lost with an earlier agent's memory. */
  locked(): Fence[];
  unlock(fence: Fence, keys: readonly Key[]): void;
  /** Deletes what the attempt made but did not publish, by the storage of its view if it has one. Keeps its record. */
  removeTemps(fence: Fence, storageOf?: StorageOf): Promise<void>;
  /** Deletes those files and the record. After a failure it can be asked for again. */
  forget(fence: Fence): Promise<void>;
};

export type RecordsNeeds = { readonly folder: string; readonly farmId: string; readonly viewOf: StorageViewOf };

export const createRecords = ({ folder, farmId, viewOf }: RecordsNeeds): Records => {
  const at = (fence: Fence, name = ""): string => join(folder, fenceKey(fence), name);
  const book = createBook(farmId, (fence) => at(fence, "attempt.json"));

  const sweep = async ({ mounts, temps }: Traces, secrets: readonly Key[] = []): Promise<void> => {
    const { storageOf, release } = viewOf({ mounts, secrets });
    await discardAll(temps, storageOf).finally(release);
  };

  const removeTemps = async (fence: Fence, storageOf?: StorageOf): Promise<void> => {
    const record = book.get(fence);
    if (!record || record.isSwept) return;
    if (!record.keys) throw new TaskError("storage", "the credentials for its storage are not here any more");
    if (storageOf) await discardAll(record.traces.temps, storageOf);
    else await sweep(record.traces, record.keys);
    removeOwnFolder(at(fence, "scratch"));
    record.isSwept = true;
  };

  /** Whether its files lie on another disk than its record: after a power cut they may be there without it. */
  const outlives = async ({ mounts, temps }: Traces, secrets: readonly Key[]): Promise<boolean> => {
    const { storageOf, release } = viewOf({ mounts, secrets });
    try {
      const paths = temps.map((temp) => storageOf(temp).pathOf?.(temp));
      const own = await diskOf(folder);
      for (const path of paths) if (path === undefined || (await diskOf(path)) !== own) return true;
      return false;
    } finally {
      await release();
    }
  };

  return {
    ...{ addTemp: book.addTemp, locked: book.locked, unlock: book.unlock, removeTemps },
    begin: async ({ secretWords: _inMemoryAlone, keys = [], ...attempt }, traces) => {
      const record = book.add(attempt, traces, keys); // what a disk leaves half made is removed by it
      makeOwnFolder(at(attempt.fence, "scratch"));
      if (!(await outlives(traces, keys))) return book.write(record);
      await book.writeDurably(record);
      await flushOwnFolder(folder);
    },
    keepMade: async (fence, made) => {
      // The attempt's folder is new: its name has to survive as well.
      await Promise.all([writeDurably(at(fence, "intent.json"), JSON.stringify(made)), flushOwnFolder(folder)]);
    },
    scratch: (fence) => at(fence, "scratch"),
    load: async () => {
      const stored: StoredAttempt[] = [];
      for (const name of await readdir(folder)) {
        const { record, made } = await readRecord(join(folder, name));
        if (record?.farmId === farmId) {
          const { assignment, mounts, temps, needsKeys } = record;
          book.add(assignment, { mounts, temps }, needsKeys ? undefined : []);
          stored.push({ assignment, mounts, made });
          continue;
        }
        // A folder that is unreachable or no longer ours must not keep the node from working for its new farm.
        if (record) await sweep(record).catch(() => undefined);
        removeOwnFolder(join(folder, name)); // damaged while being created, or from a farm that the node left
      }
      return stored;
    },
    forget: async (fence) => {
      await removeTemps(fence);
      if (!book.get(fence)) return;
      for (const name of ["attempt.json", "intent.json"]) removeOwnFile(at(fence, name));
      removeOwnFolder(at(fence));
      book.remove(fence); // not before: what a disk refuses to remove is removed later
    },
  };
};

/** The attempts that have a record, and what to sweep for each. */
const createBook = (farmId: string, pathOf: (fence: Fence) => string) => {
  const recorded = new Map<string, Recorded>();

  const textOf = ({ attempt, traces, keys = [] }: Recorded): string =>
    JSON.stringify({ farmId, assignment: attempt, ...traces, needsKeys: keys.length > 0 });

  return {
    /** Not flushed: it survives the agent, and a power cut that loses it also loses what was made since on its disk. */
    write: (record: Recorded): void => writeOwnFile(pathOf(record.attempt.fence), textOf(record)),
    writeDurably: (record: Recorded): Promise<void> => writeDurably(pathOf(record.attempt.fence), textOf(record)),
    get: (fence: Fence) => recorded.get(fenceKey(fence)),
    add: (attempt: Assignment, traces: Traces, keys: Recorded["keys"]): Recorded => {
      const record = { attempt, traces, isSwept: false, keys };
      recorded.set(fenceKey(attempt.fence), record);
      return record;
    },
    remove: (fence: Fence): void => void recorded.delete(fenceKey(fence)),
    addTemp: async (fence: Fence, temp: string): Promise<void> => {
      const record = recorded.get(fenceKey(fence));
      if (!record) return;
      record.traces = { ...record.traces, temps: [...record.traces.temps, temp] };
      await writeDurably(pathOf(fence), textOf(record)); // what is sent there stays, whatever happens here
    },
    locked: () => [...recorded.values()].flatMap(({ attempt, keys }) => (keys ? [] : [attempt.fence])),
    unlock: (fence: Fence, keys: readonly Key[]): void => {
      const record = recorded.get(fenceKey(fence));
      if (record) record.keys = keys;
    },
  };
};

/** The disk of a path, or of its nearest folder that exists. */
const diskOf = async (path: string): Promise<number | undefined> => {
  const stats = await statIfThere(path);
  const folder = dirname(path);
  return stats || folder === path ? stats?.dev : diskOf(folder);
};

const discardAll = async (temps: readonly string[], storageOf: StorageOf): Promise<void> => {
  for (const temp of temps) await storageOf(temp).discard(temp);
};

const readRecord = async (folder: string) => ({
  record: parseJsonAs(attemptRecord, await readTextIfThere(join(folder, "attempt.json"))),
  made: parseJsonAs(madeSchema, await readTextIfThere(join(folder, "intent.json"))),
});
