import { accessSync, constants, mkdirSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import type { Clock } from "../../shared/clock.ts";
import { AppError, messageOf } from "../../shared/errors.ts";
import { systemClock } from "../../shared/system-clock.ts";
import { type Committer, createCommitter } from "./commit.ts";
import { createMemo, type Memo } from "./memo.ts";
import { migrate } from "./migrate.ts";
import { createReader, type Reader } from "./reader.ts";

/** The store's three doors: one writer behind `commit`, point reads on this thread, long reads on another. */
export type Db = {
  readonly writer: Database.Database;
  readonly point: Database.Database;
  readonly commit: Committer["commit"];
  readonly commitLater: Committer["commitLater"];
  readonly commitIdle: Committer["commitIdle"];
  readonly beforeCommit: Committer["beforeCommit"];
  readonly commits: Committer["commits"];
  readonly settle: Committer["settle"];
  readonly reader: Reader;
  /** What the writer knows of jobs at work. */
  readonly memo: Memo;
  /** Aborted as soon as the store is to close: who waits to write something waits no more. */
  readonly closing: AbortSignal;
  readonly close: () => Promise<void>;
};

/**
 * Opens, and where needed makes or migrates, `<folder>/farm.db`; by the clock a transaction that takes long is cut short.
 * Throws AppError where the folder cannot be used.
 */
export const openDb = (folder: string, clock: Pick<Clock, "monotonic"> = systemClock): Db => {
  prepareFolder(folder);
  const lock = takeLock(folder);
  const file = join(folder, "farm.db");
  const writer = new Database(file);
  try {
    configure(writer);
    migrate(writer, file);
  } catch (problem) {
    writer.close();
    lock.close();
    throw problem;
  }
  const point = new Database(file, { readonly: true });
  const reader = createReader(file);
  const memo = createMemo();
  const { settle, ...committer } = createCommitter(writer, memo.clear, clock);
  const end = new AbortController();
  const close = async () => {
    end.abort();
    await settle();
    await reader.close();
    point.close();
    writer.close();
    lock.close();
  };
  return { writer, point, ...committer, settle, reader, memo, closing: end.signal, close };
};

const prepareFolder = (folder: string): void => {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new AppError("UNAVAILABLE", `The data folder ${folder} cannot be written: ${messageOf(cause)}`, { cause });
  }
};

const configure = (writer: Database.Database): void => {
  writer.pragma("journal_mode = WAL");
  writer.pragma("synchronous = FULL");
  writer.pragma("foreign_keys = ON");
  // What a savepoint may have to take back is kept in memory: else every page that it touches is written to a file first.
  writer.pragma("temp_store = MEMORY");
  writer.pragma("busy_timeout = 5000");
};

/** One coordinator a data folder: a lock of the operating system's, so that a killed one leaves nothing behind. */
const takeLock = (folder: string): Database.Database => {
  const lock = new Database(join(folder, "lock.db"), { timeout: 0 });
  try {
    lock.exec("BEGIN EXCLUSIVE");
  } catch (cause) {
    lock.close();
    throw new AppError("CONFLICT", `Another coordinator is using the data folder ${folder}`, { cause });
  }
  return lock;
};
