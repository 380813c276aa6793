import { readdirSync, readFileSync } from "node:fs";
import Database from "better-sqlite3";
import { afterEach, expect, test } from "vitest";
import { hashOfSchema, schemaProblem } from "../../../../../coordinator/store/sqlite/file/known-schema.ts";
import { schemaHashes } from "../../../../../coordinator/store/sqlite/file/schema-hashes.ts";
import { databaseOf, firstVersion, newestVersion } from "../../../../../coordinator/store/sqlite/migrate.ts";

const more = "CREATE TABLE more (id INTEGER PRIMARY KEY) STRICT;";
const open: Database.Database[] = [];
afterEach(() => {
  for (const db of open.splice(0)) db.close();
});

const aFarm = (version = newestVersion()): Database.Database => {
  const db = databaseOf(version) ?? new Database(":memory:");
  open.push(db);
  db.exec(more);
  return db;
};
const folder = new URL("../../../../../coordinator/store/sqlite/migrations/", import.meta.url);
const scripts = readdirSync(folder).sort();
const versions = scripts.map((_, nr) => firstVersion + nr);

test("the hashes of all versions are those of what the migrations make: a new one needs a line", () => {
  const hashes = versions.map((version) => [version, hashOfSchema(aFarm(version), more)]);
  const { 29: _, ...known } = schemaHashes;
  expect(known).toEqual(Object.fromEntries(hashes));
});

test("a farm is known by its version, and not by another", () => {
  expect(schemaProblem(aFarm(), newestVersion(), more)).toBeUndefined();
  expect(schemaProblem(aFarm(), 30, more)).toBe(
    'its tables and indexes are not those of a farm of version 30: the first that differs is "table records"',
  );
  expect(schemaProblem(aFarm(), 7, more)).toContain("version 7");
});

test("so is one of version 29", () => {
  const db = new Database(":memory:");
  open.push(db);
  db.exec(readFileSync(new URL("../version-29.sql", import.meta.url), "utf8"));
  db.exec(more);
  expect(schemaProblem(db, 29, more)).toBeUndefined();
  db.exec("CREATE INDEX other ON jobs (name) WHERE length(hex(zeroblob(1000000))) > 1");
  expect(schemaProblem(db, 29, more)).toContain("version 29");
});

test("an index that somebody added to the farm, of columns alone, is nobody's code", () => {
  const db = aFarm();
  db.exec("CREATE INDEX by_name ON jobs (name, id)");
  expect(schemaProblem(db, newestVersion(), more)).toBeUndefined();
  db.exec("CREATE UNIQUE INDEX only_one ON jobs (name)");
  expect(schemaProblem(db, newestVersion(), more)).toContain('the first that differs is "index only_one of jobs"');
});

test("what SQLite knows of its tables by ANALYZE is no other schema", () => {
  const db = aFarm();
  db.exec("ANALYZE");
  expect(schemaProblem(db, newestVersion(), more)).toBeUndefined();
});

/** Changes the text of one table or index, as nobody but its maker could. */
const rewrite =
  (name: string, change: (sql: string) => string) =>
  (db: Database.Database): void => {
    const sql = db.prepare<[string], string>("SELECT sql FROM sqlite_schema WHERE name = ?").pluck().get(name) ?? "";
    db.unsafeMode(true);
    db.pragma("writable_schema = ON");
    db.prepare("UPDATE sqlite_schema SET sql = ? WHERE name = ?").run(change(sql), name);
    db.pragma("writable_schema = OFF");
  };
const costly = "CHECK (length(hex(zeroblob(100000000))) > 1)";

const forged: readonly (readonly [what: string, forge: (db: Database.Database) => void])[] = [
  ["a check that takes long", rewrite("jobs", (sql) => sql.replace("id INTEGER", `id INTEGER ${costly}`))],
  ["a check less", rewrite("people", (sql) => sql.replace(/CHECK \(role IN \([^)]*\)\)/, ""))],
  ["a remark without an end", rewrite("lead", (sql) => `${sql} --`)],
  ["a table that goes on behind a sign of nothing", rewrite("lead", (sql) => `${sql}\0 x`)],
  ["a sign of nothing in a remark", rewrite("lead", (sql) => sql.replace("-- rises", "-- \0"))],
  ["a text that looks like a remark", rewrite("api_users", (sql) => sql.replace("'[]'", "'[]--\n'"))],
  ["columns in another kind of remark", rewrite("lead", (sql) => sql.replace("id ", "/**/ id "))],
  ["a default that is computed", (db) => db.exec(`ALTER TABLE more ADD COLUMN x INTEGER DEFAULT 7`)],
  ["an index of what is computed", (db) => db.exec("CREATE INDEX own ON jobs (hex(name))")],
  ["an index with a condition", (db) => db.exec("CREATE INDEX own ON jobs (id) WHERE length(name) > 9")],
  ["an index in another's place", (db) => db.exec("DROP INDEX jobs_name; CREATE INDEX jobs_name ON nodes (id)")],
  ["an index less", (db) => db.exec("DROP INDEX jobs_name")],
  ["a table more", (db) => db.exec("CREATE TABLE other (id)")],
  ["a table less", (db) => db.exec("DROP TABLE record_versions")],
  [
    "SQLite's own statistics with a check",
    (db) => {
      db.exec("ANALYZE");
      rewrite("sqlite_stat1", (sql) => sql.replace("stat)", `stat ${costly})`))(db);
    },
  ],
];

test.each(forged)("%s is seen", (_, forge) => {
  const db = aFarm();
  forge(db);
  expect(schemaProblem(db, newestVersion(), more)).toContain("are not those of a farm");
});

test("spaces and remarks are not compared", () => {
  const db = aFarm();
  rewrite("lead", (sql) => sql.replaceAll(/--[^\n]*/g, "-- other words").replaceAll("\n", "\n\n "))(db);
  expect(schemaProblem(db, newestVersion(), more)).toBeUndefined();
});
