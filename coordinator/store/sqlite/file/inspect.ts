import { closeSync, copyFileSync, existsSync, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { messageOf } from "../../../../shared/basics/errors.ts";
import { databaseMark } from "../../../../shared/files/data-folder.ts";
import { newestVersion, versionOf } from "../migrate.ts";

/** What a look at a farm's database found. */
export type Inspected = {
  /** What is wrong with it, if anything. */
  readonly problem: string | undefined;
  /** Of its tables, and the newest that this program knows; undefined if the file is no database. */
  readonly version: number | undefined;
  readonly newest: number;
  readonly bytes: number;
  /** How it was read: `live` beside the coordinator that has it open, `copy` whole, `head` only its first bytes. */
  readonly how: "live" | "copy" | "head";
};

/** Larger ones are not copied. */
const maxCopiedBytes = 256 * 1024 * 1024;
const headBytes = 100;
const magic = "SQLite format 3\0";

/**
 * Reads a farm's database and changes nothing beside it. SQLite makes files beside a database that nobody has open, so one
 * of a farm that stands still is copied to `scratch`, an empty folder, and the copy is checked page by page.
 */
export const inspectDatabase = (file: string, { isOpen, scratch }: InspectOptions): Inspected => {
  const head = readHead(file);
  const about = { version: undefined, newest: newestVersion(), bytes: head.bytes };
  if (head.problem !== undefined) return { ...about, problem: head.problem, how: "head" };
  const known = { ...about, version: head.version };
  if (isOpen && existsSync(`${file}-shm`)) return { ...known, ...readLive(file), how: "live" };
  if (isOpen || head.bytes > maxCopiedBytes) return { ...known, problem: undefined, how: "head" };
  return { ...known, ...readCopy(file, scratch), how: "copy" };
};

type InspectOptions = {
  /** Whether a coordinator has it open. */
  readonly isOpen: boolean;
  readonly scratch: string;
};

type Head = { readonly bytes: number; readonly version: number; readonly problem: string | undefined };

/** The file's head, as SQLite's file format describes it. It may be behind what the log beside it holds. */
const readHead = (file: string): Head => {
  const fd = openSync(file, "r");
  try {
    const { size: bytes } = fstatSync(fd);
    const head = Buffer.alloc(headBytes);
    const read = readSync(fd, head, 0, headBytes, 0);
    return { bytes, version: head.readUInt32BE(60), problem: read === 0 ? undefined : headProblem(head, read) };
  } finally {
    closeSync(fd);
  }
};

const headProblem = (head: Buffer, read: number): string | undefined => {
  if (read < headBytes || head.toString("latin1", 0, 16) !== magic) return "it is not an SQLite database";
  const mark = head.readUInt32BE(68);
  // Databases from before they were marked have none.
  return mark === 0 || mark === databaseMark ? undefined : "it is the database of another program";
};

type Read = { readonly version?: number; readonly problem: string | undefined };

const readLive = (file: string): Read =>
  read(file, true, (db) => {
    db.prepare("SELECT count(*) FROM jobs").get();
    return { version: versionOf(db), problem: undefined };
  });

const readCopy = (file: string, scratch: string): Read => {
  const copy = join(scratch, "inspected.db");
  copyFileSync(file, copy);
  if (existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${copy}-wal`);
  return read(copy, false, (db) => {
    const version = versionOf(db);
    const found = db.pragma("quick_check(3)") as Record<string, unknown>[]; // a pragma that is a query returns rows
    const wrong = found.flatMap((row) => Object.values(row)).filter((text) => text !== "ok");
    return { version, problem: wrong.length === 0 ? undefined : `it is damaged: ${wrong.join("; ")}` };
  });
};

const read = (file: string, readonly: boolean, ask: (db: Database.Database) => Read): Read => {
  try {
    const db = new Database(file, { readonly, fileMustExist: true, timeout: 0 });
    try {
      return ask(db);
    } finally {
      db.close();
    }
  } catch (problem) {
    return { problem: `SQLite cannot read it: ${messageOf(problem)}` };
  }
};
