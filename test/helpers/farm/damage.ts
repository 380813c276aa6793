import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";

/** Overwrites the first page of a table, and lets whoever has the database open read its pages again. */
export const damage = (dataDir: string, table: string): void => {
  const file = join(dataDir, "farm.db");
  const db = new Database(file);
  db.pragma("wal_checkpoint(TRUNCATE)");
  const size = Number(db.pragma("page_size", { simple: true }));
  const root =
    db.prepare<[string], number>("SELECT rootpage FROM sqlite_schema WHERE name = ?").pluck().get(table) ?? 0;
  const fd = openSync(file, "r+");
  writeSync(fd, Buffer.alloc(size, 0xee), 0, size, (root - 1) * size);
  closeSync(fd);
  db.exec("UPDATE counters SET n = n");
  db.close();
};
