import { hash } from "node:crypto";
import { mkdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { z } from "zod";
import { AppError, messageOf } from "../../../../shared/basics/errors.ts";
import { databaseMark } from "../../../../shared/files/data-folder.ts";
import { flush } from "../../durable-file.ts";
import { moveActions } from "../../move/tables.ts";
import { newestVersion, oldestVersion, versionOf } from "../migrate.ts";
import { schemaProblem } from "./known-schema.ts";
import { addTrailer, trailerProblem } from "./trailer.ts";

/**
 * A backup is one SQLite file: a copy of a farm's database with two more tables. `backup_about` says what it is, and
 * `backup_files` holds the files that the farm needs beside the database, such as the key of its secrets.
 */
export type BackupFile = {
  /** The place in the data folder, such as `coordinator/secret.key`. */
  readonly name: string;
  readonly bytes: Buffer;
};

/** What a backup says about itself. */
export type BackupAbout = {
  /** When it was taken: milliseconds of Unix time. */
  readonly made: number;
  /** The program's version. */
  readonly program: string;
};

type NewBackup = { readonly about: BackupAbout; readonly files: readonly BackupFile[] };

export type OpenedBackup = BackupAbout & {
  readonly files: readonly BackupFile[];
  /** The version of the database. */
  readonly schema: number;
  readonly jobs: number;
  /** Any text that was encrypted with the farm's key, to try the key with; undefined if there is none yet. */
  readonly sealedSample: string | undefined;
  /** A move of the farm to another store that was begun last of all, such as `from=… to=…`: it was not used here since. */
  readonly move: string | undefined;
};

const extraTables = `
  CREATE TABLE backup_about (id INTEGER PRIMARY KEY CHECK (id = 1), made INTEGER NOT NULL, program TEXT NOT NULL) STRICT;
  CREATE TABLE backup_files (name TEXT PRIMARY KEY, bytes BLOB NOT NULL, sha256 TEXT NOT NULL) STRICT;
`;

/**
 * Copies the database to `to`, mode 0600, and adds the files. The database may be in use: the copy is one moment of it.
 * `to` appears once everything is on the disk and `check` of the finished file did not throw; it is replaced if it exists.
 */
export const writeBackup = <T>(
  from: string,
  to: string,
  { about, files, check }: NewBackup & { readonly check: (part: string) => T },
): T => {
  const part = `${to}.${process.pid}.part`;
  try {
    copyDatabase(from, part);
    changeFile(part, (db) => addTables(db, { about, files }));
    addTrailer(part);
    flush(part, "r+");
    const checked = check(part);
    renameSync(part, to);
    flush(dirname(to), "r");
    return checked;
  } finally {
    rmSync(part, { force: true });
  }
};

/** VACUUM INTO reads one moment, however much is written meanwhile. It keeps the mode of an empty file. */
const copyDatabase = (from: string, to: string): void => {
  const source = new Database(from, { readonly: true, fileMustExist: true });
  try {
    source.pragma("busy_timeout = 5000");
    writeFileSync(to, "", { mode: 0o600, flag: "wx" });
    source.prepare("VACUUM INTO ?").run(to);
  } finally {
    source.close();
  }
};

const addTables = (db: Database.Database, { about: { made, program }, files }: NewBackup): void => {
  db.exec(extraTables);
  db.pragma(`application_id = ${databaseMark}`);
  db.prepare("INSERT INTO backup_about VALUES (1, ?, ?)").run(made, program);
  const insert = db.prepare("INSERT INTO backup_files VALUES (?, ?, ?)");
  for (const { name, bytes } of files) insert.run(name, bytes, hash("sha256", bytes));
};

/** Changes a copy that nobody else uses. */
const changeFile = (file: string, change: (db: Database.Database) => void): void => {
  const db = new Database(file);
  try {
    change(db);
  } finally {
    db.close();
  }
};

/** Milliseconds that a date can say. */
const latest = 8.64e15;
const aboutRow = z.object({
  made: z.number().int().min(0).max(latest),
  program: z.string().regex(/^[\w.+-]{1,50}$/),
});
const fileRows = z.array(z.object({ name: z.string(), bytes: z.instanceof(Buffer), sha256: z.string() }));
/** Bytes of one file beside the database. */
const mostBytes = 1024 * 1024;
const mostFiles = 100;

/**
 * Reads and checks every page of a backup. Throws AppError that names what is wrong with it. Whoever made the file decides
 * what the farm will hold, and nothing else: it holds no code that SQLite would run, and nothing of it is read without bounds.
 */
export const openBackup = (file: string): OpenedBackup => {
  const problem = readBytes(file, (each) => (statSync(each).isFile() ? trailerProblem(each) : "it is no file"));
  if (problem !== undefined) throw broken(file, problem);
  const db = readBytes(file, (each) => new Database(each, { readonly: true, fileMustExist: true }));
  try {
    checkTables(db, file);
    const about = aboutRow.safeParse(readTable(db, file, "SELECT made, program FROM backup_about LIMIT 1")[0]);
    if (!about.success) throw broken(file, "it does not say when it was made, and by what");
    const schema = versionOf(db);
    if (schema < oldestVersion) throw broken(file, `its database has version ${schema}, which no Mediafarm made`);
    if (schema > newestVersion())
      throw new AppError(
        "CONFLICT",
        `${file} was made by Mediafarm ${about.data.program}, which is newer than this one`,
      );
    const other = asking(file, () => schemaProblem(db, schema, extraTables));
    if (other !== undefined) throw broken(file, other);
    checkPages(db, file);
    const move = schema < firstWithTrail ? undefined : readMove(db, file);
    return { ...about.data, schema, files: readFiles(db, file), ...readSamples(db, file), move };
  } finally {
    db.close();
  }
};

const broken = (file: string, why: string): AppError =>
  new AppError("VALIDATION_FAILED", `${file} cannot be used as a backup: ${why.slice(0, mostSaid)}`);
/** Names and texts of the file come into messages. */
const mostSaid = 500;

/** A farm's database has tables and their indexes. A view or a trigger is a program, and so is a column that is computed. */
const checkTables = (db: Database.Database, file: string): void => {
  runPragma(db, file, "trusted_schema = OFF");
  runPragma(db, file, "cell_size_check = ON");
  const [code] = readTable(db, file, codeSql);
  const { type, name } = foundCode.parse(code ?? {});
  if (code) throw broken(file, `it holds a ${type}, "${name}", and a farm has none`);
};

const foundCode = z.object({ type: z.string().optional(), name: z.string().optional() });
const codeSql = `
  SELECT iif(type = 'table', 'virtual table', type) AS type, name FROM sqlite_schema
    WHERE type NOT IN ('table', 'index') OR rootpage IS NULL OR rootpage <= 0
  UNION ALL
  SELECT 'computed column' AS type, made.name || '.' || columns.name AS name
    FROM sqlite_schema AS made, pragma_table_xinfo(made.name) AS columns WHERE made.type = 'table' AND columns.hidden <> 0
  LIMIT 1`;

const readBytes = <T>(file: string, read: (file: string) => T): T => {
  try {
    return read(file);
  } catch (cause) {
    throw new AppError("NOT_FOUND", `${file} cannot be read: ${messageOf(cause)}`, { cause });
  }
};

const asking = <T>(file: string, ask: () => T): T => {
  try {
    return ask();
  } catch (cause) {
    throw broken(file, messageOf(cause));
  }
};

const readTable = (db: Database.Database, file: string, sql: string): unknown[] =>
  asking(file, () => db.prepare(sql).all());

const checkPages = (db: Database.Database, file: string): void => {
  const found = runPragma(db, file, "integrity_check(10)").map((row) => Object.values(row)[0]);
  const wrong = found.filter((text) => text !== "ok");
  if (wrong.length > 0) throw broken(file, `the database is damaged: ${wrong.slice(0, 3).join("; ")}`);
  const [row] = runPragma(db, file, "foreign_key_check");
  if (row) throw broken(file, `rows of ${row.table} refer to rows that are missing`);
};

const runPragma = (db: Database.Database, file: string, text: string): Record<string, unknown>[] =>
  asking(file, () => db.pragma(text) as Record<string, unknown>[]); // a pragma that is a query returns rows

const readFiles = (db: Database.Database, file: string): BackupFile[] => {
  const [large] = readTable(db, file, `SELECT 1 FROM backup_files WHERE length(bytes) > ${mostBytes} LIMIT 1`);
  const sql = `SELECT name, bytes, sha256 FROM backup_files ORDER BY name LIMIT ${mostFiles + 1}`;
  const found = large === undefined ? fileRows.safeParse(readTable(db, file, sql)) : undefined;
  if (!found?.success || found.data.length > mostFiles)
    throw broken(file, "the files beside the database are not such as a farm has");
  const rows = found.data;
  const changed = rows.find(({ bytes, sha256 }) => hash("sha256", bytes) !== sha256);
  if (changed) throw broken(file, `its copy of ${changed.name} is damaged`);
  return rows.map(({ name, bytes }) => ({ name, bytes }));
};

const readSamples = (db: Database.Database, file: string): Pick<OpenedBackup, "jobs" | "sealedSample"> => {
  const sql = "SELECT (SELECT count(*) FROM jobs) AS jobs, (SELECT oapi_secret FROM account LIMIT 1) AS sealedSample";
  const found = samples.safeParse(readTable(db, file, sql)[0]);
  if (!found.success) throw broken(file, "the account of its farm is not such as a farm has");
  return { jobs: found.data.jobs, sealedSample: found.data.sealedSample ?? undefined };
};

const samples = z.object({ jobs: z.number().int(), sealedSample: z.string().nullable() });

/** The version from which on farms keep their audit. */
const firstWithTrail = 11;
const lastLine = z.object({ action: z.string(), about: z.string() });

const readMove = (db: Database.Database, file: string): string | undefined => {
  const [row] = readTable(db, file, "SELECT action, about FROM trail ORDER BY id DESC LIMIT 1");
  const { action, about } = lastLine.parse(row ?? { action: "", about: "" });
  return Object.values(moveActions).some((each) => each === action) ? about.slice(0, mostSaid) : undefined;
};

/** Who was signed in then signs in again: some of them may have been let go since. */
const shortLived = "DELETE FROM sessions; DELETE FROM tokens;";

/** How a backup is unpacked. `revoke`: at this time everything ends that lets programs and nodes in. */
export type Unpacking = { readonly revoke?: number | undefined };

/** Makes the database of a backup at `to`, which must not exist: the copy without the tables that a backup adds. */
export const unpackDatabase = (backup: string, to: string, { revoke }: Unpacking = {}): void => {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  const part = `${to}.${process.pid}.part`;
  try {
    copyDatabase(backup, part);
    changeFile(part, (db) => {
      db.exec(`DROP TABLE backup_about; DROP TABLE backup_files; ${shortLived}`);
      if (revoke !== undefined) revokeAll(db, revoke);
    });
    flush(part, "r+");
    renameSync(part, to);
    flush(dirname(to), "r");
  } finally {
    rmSync(part, { force: true });
  }
};

/**
 * The backup does not know what was revoked after it was taken. So all keys of programs end, and all join tokens; the next
 * start makes new ones. Nodes wait for an owner, who knows which of them are still the farm's.
 */
const revokeAll = (db: Database.Database, now: number): void => {
  db.exec(
    "DELETE FROM account; DELETE FROM records WHERE kind = 'join_token' OR (kind = 'farm' AND key = 'join_secret')",
  );
  db.prepare("UPDATE api_users SET revoked = ? WHERE revoked IS NULL").run(now);
  const columns = runPragma(db, db.name, "table_info(nodes)").map(({ name }) => name);
  // Farms of older versions know no nodes that wait.
  db.exec(columns.includes("pending") ? "UPDATE nodes SET pending = 1" : "UPDATE nodes SET state = 'paused'");
};
