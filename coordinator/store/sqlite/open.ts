import { chmodSync, closeSync, openSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { AppError, messageOf } from "../../../shared/basics/errors.ts";
import type { Secret } from "../../../shared/basics/secret.ts";
import { type Cipher, createCipher, readSealingKey } from "../cipher.ts";
import { prepareFolder } from "../data-folder.ts";
import { failing } from "../failing.ts";
import type { Store } from "../store.ts";
import { createAccountStore } from "./accounts.ts";
import { createAuditStore } from "./audit.ts";
import type { Connections } from "./connections.ts";
import { createDue } from "./due.ts";
import { createCheckpoints, mostLogPages } from "./file/checkpoints.ts";
import { asAnswer } from "./file/disk-problems.ts";
import { createJobList } from "./jobs/list.ts";
import { createJobReports } from "./jobs/reports.ts";
import { createJobViews } from "./jobs/views.ts";
import { createLeads } from "./lead.ts";
import { createLoads } from "./load.ts";
import { createMaintenance } from "./maintain.ts";
import { createAlertStore } from "./messages/alerts.ts";
import { createWebhookStore } from "./messages/webhooks.ts";
import { migrate } from "./migrate.ts";
import { openSecrets } from "./open-secrets.ts";
import { createPasses } from "./passes.ts";
import { createPersonStore } from "./people.ts";
import { createReader } from "./reader.ts";
import { createRecentAttempts } from "./recent-attempts.ts";
import { createRecordStore } from "./records.ts";
import { createSectionFileStore } from "./section-files.ts";
import { createTrailStore } from "./trail.ts";
import { createWatchReads } from "./watches.ts";
import { createBatchWriter } from "./write.ts";

/**
 * Opens `<folder>/farm.db`, and creates or migrates it if needed. Throws AppError if the folder cannot be used, or
 * another coordinator uses it. `givenKey` encrypts secrets in the place of the one in the folder, in base64.
 */
export const openSqlite = (folder: string, givenKey?: Secret): Store => {
  prepareFolder(folder);
  const file = join(folder, "farm.db");
  for (const name of ["farm.db", "farm.db-wal", "farm.db-shm", "lock.db", "secret.key"])
    keepPrivate(join(folder, name));
  for (const each of [file, join(folder, "lock.db")]) makePrivate(each);
  const lock = takeLock(folder);
  const key = readSealingKey(folder, givenKey);
  const cipher = createCipher(key);
  const writer = new Database(file);
  try {
    configure(writer);
    migrate(writer, file);
  } catch (problem) {
    writer.close();
    lock.close();
    throw asAnswer(problem, "read");
  }
  const point = new Database(file, { readonly: true });
  const reader = createReader(file, key);
  for (const each of [writer, point]) openSecrets(each, cipher);
  const end = new AbortController();
  const close = async () => {
    end.abort();
    await reader.close();
    for (const each of [point, writer, lock]) each.close();
  };
  const store = failing(storeOn({ writer, point, reader }, cipher), (problem) => asAnswer(problem, "read"));
  return { ...store, closing: end.signal, close };
};

const storeOn = (connections: Connections, cipher: Cipher): Omit<Store, "closing" | "close"> => {
  const write = createBatchWriter(connections.writer, cipher);
  const checkpoints = createCheckpoints(connections);
  const passes = createPasses(connections);
  const { read, extend, end, describe, sessions } = passes;
  return {
    ...createLeads(connections),
    load: createLoads(connections),
    write: async (batch) => {
      write(batch);
      checkpoints.look();
    },
    due: createDue(connections),
    maintain: createMaintenance(connections),
    jobs: {
      ...createJobReports(connections),
      ...createJobList(connections),
      ...createJobViews(connections),
    },
    sectionFiles: createSectionFileStore(connections),
    recentAttempts: createRecentAttempts(connections),
    alerts: createAlertStore(connections),
    webhooks: createWebhookStore(connections),
    audit: createAuditStore(connections),
    trail: createTrailStore(connections, cipher),
    records: createRecordStore(connections),
    accounts: createAccountStore(connections, passes),
    passes: { read, extend, end, describe, sessions },
    people: createPersonStore(connections, passes),
    watches: createWatchReads(connections),
  };
};

/** Restored or copied files may be readable by everybody, and they hold secrets. */
const keepPrivate = (file: string): void => {
  try {
    chmodSync(file, 0o600);
  } catch {
    // It does not exist, or belongs to somebody else: opening it reports what matters.
  }
};

/** SQLite gives a database's mode to the files beside it. */
const makePrivate = (file: string): void => {
  try {
    closeSync(openSync(file, "a", 0o600));
  } catch (cause) {
    throw new AppError("UNAVAILABLE", `${file} cannot be written: ${messageOf(cause)}`, { cause });
  }
};

const configure = (writer: Database.Database): void => {
  // Affects only a database without tables: an older one keeps its free pages for later writes.
  writer.pragma("auto_vacuum = INCREMENTAL");
  writer.pragma("journal_mode = WAL");
  writer.pragma("synchronous = FULL");
  writer.pragma(`wal_autocheckpoint = ${mostLogPages}`);
  writer.pragma("foreign_keys = ON");
  writer.pragma("busy_timeout = 5000");
};

/** One coordinator for each data folder: a lock of the operating system, so that a killed one leaves nothing behind. */
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
