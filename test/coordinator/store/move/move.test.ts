import { readdirSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createCipher } from "../../../../coordinator/store/cipher.ts";
import { moveTables, type TableSum } from "../../../../coordinator/store/move/move.ts";
import { movedTables, type RawTables } from "../../../../coordinator/store/move/tables.ts";
import type { Database } from "../../../../coordinator/store/postgres/connection/database.ts";
import { migrate } from "../../../../coordinator/store/postgres/migrate.ts";
import { postgresTables } from "../../../../coordinator/store/postgres/moved-tables.ts";
import { sqliteTables } from "../../../../coordinator/store/sqlite/moved-tables.ts";
import { openSqlite } from "../../../../coordinator/store/sqlite/open.ts";
import { aFolder, removeFolder } from "../../../helpers/farm/farm.ts";
import { emptyTables } from "../../../helpers/postgres/empty.ts";
import { openPglite } from "../../../helpers/postgres/pglite.ts";
import { fillAllTables } from "./all-rows.ts";

let database: Database;
const folders: string[] = [];
const folder = () => {
  const made = aFolder();
  folders.push(made);
  return made;
};

beforeAll(async () => {
  database = await openPglite(createCipher(Buffer.alloc(32)));
  await migrate(database, "in memory");
});
afterAll(async () => {
  await database.close();
  for (const each of folders) removeFolder(each);
});

const aFarm = async () => {
  const place = folder();
  const store = openSqlite(place);
  await fillAllTables(store);
  await store.close();
  return sqliteTables(join(place, "farm.db"));
};
const anEmptyStore = async () => {
  const place = folder();
  await openSqlite(place).close();
  return { place, tables: sqliteTables(join(place, "farm.db")) };
};
const shared = () => postgresTables({ ...database, close: async () => undefined });

/** Breaks at the write of this number. */
const breakingAt = (tables: RawTables, at: number): RawTables => {
  let writes = 0;
  return {
    ...tables,
    insert: async (...args) => {
      writes += 1;
      if (writes === at) throw new Error("the power failed");
      await tables.insert(...args);
    },
  };
};

const sqliteNames = (file: string): string[] => {
  const db = new Sqlite(file, { readonly: true });
  const sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name";
  const names = db.prepare<[], string>(sql).pluck().all();
  db.close();
  return names;
};

/** Who leads, who stands by and what was done last is a matter of the moment; the version is the program's. */
const notMoved = ["last_operation", "lease", "schema_version", "standbys"];

test("all tables of both engines are moved", async () => {
  const [{ tables, place }, names] = [await anEmptyStore(), movedTables.map(({ name }) => name).sort()];
  await tables.close();
  const sqlite = sqliteNames(join(place, "farm.db"));
  const found = await database.ask<{ name: string }>(
    "SELECT tablename::text AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename COLLATE \"C\"",
  );
  const postgres = found.map(({ name }) => name).filter((name) => !notMoved.includes(name));
  expect([sqlite, postgres]).toEqual([names, names]);
});

test("a change of the schema has the same number in both engines", () => {
  const [sqlite, postgres] = ["sqlite", "postgres"].map((engine) =>
    readdirSync(join(import.meta.dirname, "../../../../coordinator/store", engine, "migrations")).sort(),
  );
  const [first = ""] = postgres ?? [];
  // The first script of PostgreSQL is the whole schema as of its number.
  expect(postgres?.slice(1)).toEqual(sqlite?.filter((name) => name.slice(0, 4) > first.slice(0, 4)));
});

test("a farm that moves there and back, broken off again and again, is the same", async () => {
  await emptyTables(database);
  const farm = await aFarm();
  const before: TableSum[] = [];
  for (const at of [1, 4, 9, 15, 22]) await expect(moveTables(farm, breakingAt(shared(), at))).rejects.toThrow("power");
  await moveTables(farm, shared(), (sum) => before.push(sum));
  expect(before.map(({ name, rows }) => (rows > 0 ? "" : name)).filter(Boolean)).toEqual(["section_files"]);
  const { place, tables: back } = await anEmptyStore();
  for (const at of [2, 7, 18]) await expect(moveTables(shared(), breakingAt(back, at))).rejects.toThrow("power");
  const after: TableSum[] = [];
  await moveTables(shared(), back, (sum) => after.push(sum));
  expect(after).toEqual(before);
  await back.close();
  await farm.close();
  // Ids go on where they were, although the last person is gone.
  const store = openSqlite(place);
  const third = await store.people.insert({ name: "Bob", role: "viewer", passwordHash: "h", created: 1 });
  expect([third?.id, (await store.load.job(70))?.row.name]).toEqual([3, "N\u0000l"]);
  await store.close();
});

test("a store that has other rows is refused by the table's name", async () => {
  await emptyTables(database);
  const farm = await aFarm();
  await database.ask("INSERT INTO tag_limits (tag, most) VALUES ($1, $2)", "other", 1);
  await expect(moveTables(farm, shared())).rejects.toThrow(
    "The table tag_limits is not the same in both stores (1 and 2 rows)",
  );
  await farm.close();
});
