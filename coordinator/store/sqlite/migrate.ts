import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import Database from "better-sqlite3";
import { AppError } from "../../../shared/basics/errors.ts";
import { upgrade29 } from "./upgrade-29.ts";

const ownScripts = new URL("migrations/", import.meta.url);

/** The version of a database after the first script. Farms of versions up to 29 were never released. */
export const firstVersion = 30;
/** The oldest that is upgraded. */
export const oldestVersion = firstVersion - 1;

/**
 * Brings the database to this program's version in one transaction. A database with data is first copied to
 * `farm.db.v<old>.<pid>.backup`; one that is newer than the program is refused.
 */
export const migrate = (db: Database.Database, file: string, folder = ownScripts): void => {
  const scripts = listScripts(folder);
  const [from, newest] = [versionOf(db), newestVersion(folder)];
  refuse(file, from, newest);
  if (from === newest) return;
  if (from > 0) backUp(db, `${file}.v${from}.${process.pid}.backup`);
  db.pragma("foreign_keys = OFF");
  db.transaction(() => {
    // The version is read again inside the write lock: two programs may have started at once.
    const done = versionOf(db);
    const run = (name: string) => db.exec(readFileSync(new URL(name, folder), "utf8"));
    for (const name of scripts.slice(Math.max(0, done - firstVersion + 1))) {
      if (done === oldestVersion && name === scripts[0]) upgrade29(db, file, () => run(name));
      else run(name);
    }
    db.pragma(`user_version = ${newest}`);
  }).immediate();
  db.pragma("foreign_keys = ON");
};

/** The version that this program's migrations lead to. */
export const newestVersion = (folder = ownScripts): number => firstVersion - 1 + listScripts(folder).length;

/** An empty database of this version, in memory; undefined for one that these scripts do not make. */
export const databaseOf = (version: number, folder = ownScripts): Database.Database | undefined => {
  if (version < firstVersion || version > newestVersion(folder)) return undefined;
  const db = new Database(":memory:");
  for (const name of listScripts(folder).slice(0, version - firstVersion + 1))
    db.exec(readFileSync(new URL(name, folder), "utf8"));
  return db;
};

const refuse = (file: string, version: number, newest: number): void => {
  if (version > newest)
    throw new AppError(
      "CONFLICT",
      `The database ${file} has version ${version}, and this program knows ${newest} at most: install a newer Mediafarm`,
    );
  if (version !== 0 && version < oldestVersion)
    throw new AppError(
      "CONFLICT",
      `The database ${file} has version ${version}, and this program upgrades from ${oldestVersion} on: start an older Mediafarm first`,
    );
};

/** It has the contents of the database, so create an empty file with its owner's permissions first. */
const backUp = (db: Database.Database, copy: string): void => {
  writeFileSync(copy, "", { mode: 0o600 });
  db.prepare("VACUUM INTO ?").run(copy);
};

export const versionOf = (db: Database.Database): number => db.pragma("user_version", { simple: true }) as number; // always one

const listScripts = (folder: URL): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".sql"))
    .sort();
