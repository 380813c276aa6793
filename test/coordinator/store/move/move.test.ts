import { readdirSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Change } from "../../../../coordinator/store/batch.ts";
import { createCipher } from "../../../../coordinator/store/cipher.ts";
import { moveTables, type TableSum } from "../../../../coordinator/store/move/move.ts";
import { movedTables, type RawTables } from "../../../../coordinator/store/move/tables.ts";
import type { Database } from "../../../../coordinator/store/postgres/connection/database.ts";
import { migrate } from "../../../../coordinator/store/postgres/migrate.ts";
import { postgresTables } from "../../../../coordinator/store/postgres/moved-tables.ts";
import { sqliteTables } from "../../../../coordinator/store/sqlite/moved-tables.ts";
import { openSqlite } from "../../../../coordinator/store/sqlite/open.ts";
import type { Store } from "../../../../coordinator/store/store.ts";
import { nobodys } from "../../../../shared/rights/reach.ts";
import { aJobRow, inserted, insertedDelivery, removed } from "../../../helpers/farm/batches.ts";
import { aFolder, removeFolder } from "../../../helpers/farm/farm.ts";
import { emptyTables } from "../../../helpers/postgres/empty.ts";
import { openPglite } from "../../../helpers/postgres/pglite.ts";
import { filled } from "../contract/filled.ts";

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

/** Rows of every table, with what is hard to move: U+0000, long keys, fractions, gaps in ids, more rows than a page has. */
const fill = async (store: Store): Promise<void> => {
  const lead = await filled(store);
  const facts = {
    size: 1,
    modified: 2.5,
    tool: "t",
    facts: { format: "mov" } as never,
    found: 2 ** 53 - 9,
    found_by: 7,
    ...nobodys,
  };
  const watched = { mark: "m", owner: null, job_id: null, at: 1, problem: null, gone: null };
  const many = Array.from({ length: 1200 }, (_, nr): Change[] => [
    { table: "facts", key: [`file:///${"x".repeat(nr)}\u0000\u0001\ufffd${nr}`], before: undefined, after: facts },
    { table: "watchedFiles", key: [`key:${nr % 7}`, `${nr}`], before: undefined, after: watched },
  ]).flat();
  await lead.write([
    ...[...many, ...inserted(aJobRow(70, { name: "N\u0000l" })), ...inserted(aJobRow(71))],
    { table: "groups", key: ["g"], before: undefined, after: { name: "g", provided_tags: ["a"], mandatory_tags: [] } },
    { table: "limits", key: ["t"], before: undefined, after: { tag: "t", most: 3 } },
    { table: "listings", key: [1, 0], before: undefined, after: { files: [] }, job: 1 },
    { table: "schedules", key: [70], before: undefined, after: { paused: 5, startAfter: null, tags: [] }, job: 70 },
    insertedDelivery({
      ...{ epoch: 1, nr: 1, webhook: "one", type: "job.failed", about: "job 1", made: 1, body: '{"a":"\\u0000"}' },
      ...{ state: "waiting", since: 1, tries: 1, nextTry: 2, ended: null, status: 503, answer: "no" },
    }),
    { table: "submissions", key: ["me", "k"], before: undefined, after: { mark: "m", job_id: 1, created: 70 } },
  ]);
  await lead.write([removed(aJobRow(71))], { jobs: 71 });
  const power = { scopes: [], reach: "all", group: null } as const;
  const user = { auth_key: "u", secretHash: "h", name: "n", created: 1, expires: 9, ...power };
  const pass = { hash: "p", now: 1, expires: 9, most: 3 };
  await store.accounts.create({ oapi_key: "k", oapi_secret: "s" }, user, 1);
  await store.accounts.logIn((await store.accounts.user("u"))?.id ?? 0, pass, 2);
  await store.people.insert({ name: "Ada", role: "owner", passwordHash: "h", created: 1 }, pass);
  const link = { person_id: 1, issuer: "https://a", subject: "1\u0000", name: "ada", created: 2 };
  await store.people.link(link, { hash: "p", now: 2 });
  await store.people.insert({ name: "Eve", role: "viewer", passwordHash: "h", created: 1 });
  await store.people.remove("Eve");
  await store.audit.add([{ at: 1, who: "Ada", action: "stop", jobId: 1, nodeId: null, note: "why" }]);
  const content = { counts: [], notices: [], is_test: true };
  await store.alerts.note('{"open":{}}', [{ channel: "night", made: 1, content, nextTry: 2 }]);
  await store.trail.add(
    [{ at: 1, who: "Ada", origin: "::1", action: "stopJob", outcome: "done", about: "job_id=1" }],
    9,
  );
  await store.records.change("preset", "p", () => '{"a":"\\u0000"}');
};

const aFarm = async () => {
  const place = folder();
  const store = openSqlite(place);
  await fill(store);
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
