import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import type Database from "better-sqlite3";
import { AppError } from "../../../shared/errors.ts";

const ownScripts = new URL("migrations/", import.meta.url);

/**
 * Brings the database to this program's version in one transaction. A database with data is first copied to
 * `farm.db.v<old>.<pid>.backup`; one that is newer than the program is refused.
 */
export const migrate = (db: Database.Database, file: string, folder = ownScripts): void => {
  const scripts = listScripts(folder);
  const from = versionOf(db);
  if (from > scripts.length) {
    throw new AppError(
      "CONFLICT",
      `The database ${file} has version ${from}, and this program knows ${scripts.length} at most: install a newer Mediafarm`,
    );
  }
  if (from === scripts.length) return;
  if (from > 0) backUp(db, `${file}.v${from}.${process.pid}.backup`);
  db.pragma("foreign_keys = OFF");
  db.transaction(() => {
    // The version is read again inside the write lock: two programs may have started at once.
    for (const name of scripts.slice(versionOf(db))) db.exec(readFileSync(new URL(name, folder), "utf8"));
    db.pragma(`user_version = ${scripts.length}`);
  }).immediate();
  db.pragma("foreign_keys = ON");
};

/** It has the contents of the database, so create an empty file with its owner's permissions first. */
const backUp = (db: Database.Database, copy: string): void => {
  writeFileSync(copy, "", { mode: 0o600 });
  db.prepare("VACUUM INTO ?").run(copy);
};

const versionOf = (db: Database.Database): number => db.pragma("user_version", { simple: true }) as number; // always one

const listScripts = (folder: URL): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".sql"))
    .sort();
