import { readFileSync } from "node:fs";
import Database from "better-sqlite3";
import { afterEach, expect, test } from "vitest";
import { schemaProblem } from "../../../../../coordinator/store/sqlite/file/known-schema.ts";
import { createTables, firstVersion, newestVersion } from "../../../../../coordinator/store/sqlite/migrate.ts";

const more = "CREATE TABLE more (id INTEGER PRIMARY KEY) STRICT;";
const open: Database.Database[] = [];
afterEach(() => {
  for (const db of open.splice(0)) db.close();
});

const aFarm = (version: number): Database.Database => {
  const db = new Database(":memory:");
  open.push(db);
  createTables(db, version);
  db.exec(more);
  return db;
};

const versions = Array.from({ length: newestVersion() - firstVersion + 1 }, (_, nr) => firstVersion + nr);

test.each(versions)("a farm of version %i is known, and those before and after it are others", (version) => {
  expect(schemaProblem(aFarm(version), version, more)).toBeUndefined();
  const others = versions.filter((each) => each !== version && schemaProblem(aFarm(each), version, more) === undefined);
  // A script that only changes rows or marks makes no other tables.
  expect(others.every((each) => Math.abs(each - version) === 1)).toBe(true);
});

test("so is one of version 29", () => {
  const db = new Database(":memory:");
  open.push(db);
  db.exec(readFileSync(new URL("../version-29.sql", import.meta.url), "utf8"));
  db.exec(more);
  expect(schemaProblem(db, 29, more)).toBeUndefined();
  db.exec("CREATE INDEX other ON jobs (name) WHERE length(hex(zeroblob(1000000))) > 1");
  expect(schemaProblem(db, 29, more)).toBe("its tables are not those of a farm of version 29");
});

test("what SQLite knows of its tables by ANALYZE is no other schema", () => {
  const db = aFarm(newestVersion());
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

const forged: readonly (readonly [what: string, forge: (db: Database.Database) => void, said: RegExp])[] = [
  [
    "a check that takes long",
    rewrite("jobs", (sql) => sql.replace("id INTEGER", `id INTEGER ${costly}`)),
    /table jobs/,
  ],
  ["a check less", rewrite("people", (sql) => sql.replace(/CHECK \(role IN \([^)]*\)\)/, "")), /table people/],
  ["a remark without an end", rewrite("lead", (sql) => `${sql} --`), /table lead/],
  ["a table that goes on behind a sign of nothing", rewrite("lead", (sql) => `${sql}\0 x`), /table lead/],
  ["a sign of nothing in a remark", rewrite("lead", (sql) => sql.replace("-- rises", "-- \0")), /table lead/],
  ["a text that looks like a remark", rewrite("api_users", (sql) => sql.replace("'[]'", "'[]--\n'")), /api_users/],
  ["columns in another kind of remark", rewrite("lead", (sql) => sql.replace("id ", "/**/ id ")), /table lead/],
  ["a default that is computed", (db) => db.exec(`ALTER TABLE more ADD COLUMN x INTEGER DEFAULT 7`), /table more/],
  ["an index of what is computed", (db) => db.exec("CREATE INDEX own ON jobs (hex(name))"), /index own of jobs/],
  ["an index with a condition", (db) => db.exec("CREATE INDEX own ON jobs (id) WHERE length(name) > 9"), /index own/],
  [
    "an index in another's place",
    (db) => db.exec("DROP INDEX jobs_name; CREATE INDEX jobs_name ON nodes (id)"),
    /jobs_name of nodes/,
  ],
  ["an index less", (db) => db.exec("DROP INDEX jobs_name"), /its index jobs_name of jobs is missing/],
  ["a table more", (db) => db.exec("CREATE TABLE other (id)"), /its table other/],
  ["a table less", (db) => db.exec("DROP TABLE more"), /its table more is missing/],
  [
    "SQLite's own statistics with a check",
    (db) => {
      db.exec("ANALYZE");
      rewrite("sqlite_stat1", (sql) => sql.replace("stat)", `stat ${costly})`))(db);
    },
    /table sqlite_stat1/,
  ],
];

test.each(forged)("%s is seen", (_, forge, said) => {
  const db = aFarm(newestVersion());
  forge(db);
  expect(schemaProblem(db, newestVersion(), more)).toMatch(said);
});

test("spaces and remarks are not compared", () => {
  const db = aFarm(newestVersion());
  rewrite("lead", (sql) => sql.replaceAll(/--[^\n]*/g, "-- other words").replaceAll("\n", "\n\n "))(db);
  expect(schemaProblem(db, newestVersion(), more)).toBeUndefined();
});
