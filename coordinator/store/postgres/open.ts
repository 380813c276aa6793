import { AppError, messageOf } from "../../../shared/basics/errors.ts";
import type { Secret } from "../../../shared/basics/secret.ts";
import { systemClock } from "../../../shared/basics/system-clock.ts";
import { type Cipher, createCipher } from "../cipher.ts";
import type { Store } from "../store.ts";
import { createAccountStore } from "./accounts.ts";
import { createAuditStore } from "./audit.ts";
import { readAddress, readReplica, shownAddress } from "./connection/address.ts";
import { answering, type Database } from "./connection/database.ts";
import { createPool } from "./connection/pool.ts";
import { NotConnected } from "./connection/problems.ts";
import { readsOn } from "./connection/replica.ts";
import { createDue } from "./due.ts";
import { createJobList } from "./jobs/list.ts";
import { createJobReports } from "./jobs/reports.ts";
import { createJobViews } from "./jobs/views.ts";
import { createLeads } from "./lead.ts";
import { createLease } from "./lease.ts";
import { createLoads } from "./load.ts";
import { createMaintenance } from "./maintain.ts";
import { createAlertStore } from "./messages/alerts.ts";
import { createWebhookStore } from "./messages/webhooks.ts";
import { migrate } from "./migrate.ts";
import { createOperation, type Leading } from "./operation.ts";
import { createPasses } from "./passes.ts";
import { createPersonStore } from "./people.ts";
import { createRecentAttempts } from "./recent-attempts.ts";
import { createRecordStore } from "./records.ts";
import { createSectionFileStore } from "./section-files.ts";
import { createTrailStore } from "./trail.ts";
import { createWatchReads } from "./watches.ts";
import { createBatchWriter } from "./write.ts";

/**
 * Batches have connections of their own: where a thousand nodes come at once, what is asked about each of them may wait, and what is
 * decided must not. Then those for what decisions need, and those for lists, counts and reports, which may take long.
 */
const batchers = { most: 2 };
const writers = { most: 8, waitMs: 30_000 };
const readers = { most: 6, waitMs: 30_000 };
/** The lease has a connection of its own, and is asked for again where the answer takes too long. */
const leases = { most: 1, longestMs: 2000 };

/**
 * Opens the database at `postgres://…`, and creates or migrates its tables if needed. Throws AppError if it cannot be
 * reached or used. `key` encrypts secrets: it is the same for all coordinators of the farm.
 */
export const openPostgres = async (address: string, key: Buffer, password?: Secret): Promise<Store> => {
  const at = readAddress(address, password);
  const replicaAt = readReplica(address, password);
  const cipher = createCipher(key);
  const primary = createPool(at, cipher, readers);
  const replica = replicaAt && createPool(replicaAt, cipher, readers);
  const databases = {
    batches: createPool(at, cipher, batchers),
    decisions: createPool(at, cipher, writers),
    // Lists, counts and reports.
    reads: replica ? readsOn({ primary, replica, clock: systemClock }) : primary,
    lease: createPool(at, cipher, leases),
  };
  try {
    await migrate(databases.decisions, shownAddress(at));
  } catch (problem) {
    await closeAll(databases);
    throw openingProblem(problem, shownAddress(at));
  }
  return postgresOn(databases, cipher);
};

const openingProblem = (problem: unknown, shown: string): unknown => {
  const cause = problem instanceof NotConnected ? problem.cause : problem;
  if (cause instanceof AppError) return cause;
  const { code } = (cause ?? {}) as { readonly code?: unknown }; // it may be anything
  const next = remedies[String(code)];
  const words = [`The database ${shown} cannot be opened: ${messageOf(cause)}`, ...(next ? [next] : [])];
  return new AppError("UNAVAILABLE", words.join(". "), { cause });
};

/** What to do about what new farms stumble upon, by the server's code. */
const remedies: Readonly<Record<string, string>> = {
  "28P01": "The password is in the file that passwordfile= names, or in PGPASSWORD",
  "3D000": "Make it first, such as with createdb --owner=USER DATABASE",
  "42501": "Its user has to own it: ALTER DATABASE … OWNER TO …",
  "42P07": "It holds tables that are not of a farm: give an empty database",
  "25006": "It takes no changes: give the address of the server that does",
};

/** Ways to the same database, for what must not wait for each other. */
type Databases = { readonly [Use in "batches" | "decisions" | "reads" | "lease"]: Database };

const closeAll = async (databases: Databases): Promise<void> => {
  await Promise.all(Object.values(databases).map(({ close }) => close()));
};

/** The store on a database whose tables exist. */
export const postgresOn = (databases: Databases, cipher: Cipher): Store => {
  const end = new AbortController();
  const close = async () => {
    end.abort();
    await closeAll(databases);
  };
  return { ...partsOn(databases, cipher), closing: end.signal, close };
};

const partsOn = (
  { batches, decisions, lease, ...others }: Databases,
  cipher: Cipher,
): Omit<Store, "closing" | "close"> => {
  const [points, reads] = [answering(decisions), answering(others.reads)];
  const leading: Leading = { epoch: undefined };
  const operation = createOperation(decisions, leading, systemClock);
  const passes = createPasses(points, operation, leading);
  const { read, extend, end, describe, sessions } = passes;
  return {
    ...createLeads(batches, leading),
    load: createLoads(points),
    write: createBatchWriter(batches, cipher),
    due: createDue(points),
    maintain: createMaintenance(operation),
    jobs: { ...createJobReports(reads), ...createJobList(reads), ...createJobViews(reads) },
    sectionFiles: createSectionFileStore(points, operation),
    recentAttempts: createRecentAttempts(reads),
    alerts: createAlertStore(points, operation),
    webhooks: createWebhookStore(points, operation),
    audit: createAuditStore(reads, operation),
    trail: createTrailStore(reads, operation, cipher),
    records: createRecordStore(points, operation),
    accounts: createAccountStore(points, passes),
    passes: { read, extend, end, describe, sessions },
    people: createPersonStore(points, passes),
    watches: createWatchReads(reads),
    lease: createLease(lease),
  };
};
