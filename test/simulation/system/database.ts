import Database from "better-sqlite3";
import { shapedReads } from "../../../coordinator/store/sqlite/jobs/shaped-reads.ts";
import { checkpointRequest, problemOf, type ReaderRequest } from "../../../coordinator/store/sqlite/reader.ts";
import { system } from "./machine.ts";

/**
 * In the place of `better-sqlite3`: real SQLite in memory, one database for each path of a machine's disk. It outlives the
 * program: what was committed is there after a crash or a power cut, and nothing else, because no program stops inside
 * of a transaction.
 */

export const { SqliteError } = Database;

/** An empty farm, after all migrations: made once, copied for each new database. */
let template: Buffer | undefined;

export const keepAsTemplate = (path: string): void => {
  template ??= databaseAt(path).serialize();
};

const databaseAt = (path: string): Database.Database => {
  const { databases } = system();
  const known = databases.get(path) as Database.Database | undefined; // only this module puts them there
  if (known) return known;
  const made = template ? new Database(template) : new Database(":memory:");
  databases.set(path, made);
  return made;
};

/** The lock of a data folder: a machine runs one coordinator at a time. */
const lock = { exec: () => undefined, close: () => undefined };

/** `new Simulated(path)` gives a connection to the database of that path; closing it leaves the database. */
export const createConnection = (path: string): unknown => {
  if (path.endsWith("/lock.db")) return lock;
  return Object.create(databaseAt(path), { close: { value: () => undefined } });
};

/** What the reading thread answers. */
export const readDatabase = (
  path: string,
  { id, request }: { readonly id: number; readonly request: ReaderRequest },
) => {
  const db = databaseAt(path);
  const all = (sql: string, params: readonly unknown[]) => db.prepare(sql).all(...params);
  try {
    if (request === checkpointRequest) return { id }; // the memory has no log
    if (!("name" in request)) return { id, found: request.map(({ sql, params }) => all(sql, params)) };
    const query = <Row>(sql: string, ...params: readonly unknown[]) =>
      db.prepare(sql).iterate(...params) as IterableIterator<Row>;
    const read: (ask: typeof query, ...args: never[]) => unknown = shapedReads[request.name];
    return { id, found: read(query, ...(request.args as never[])) }; // `Reader` has checked them
  } catch (problem) {
    return { id, problem: problemOf(problem) };
  }
};
