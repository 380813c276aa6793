import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { firstVersion, migrate } from "../../../../coordinator/store/sqlite/migrate.ts";
import { dumpSchema, schemaFile } from "../../../dump-schema.ts";
import { aFolder, removeFolder } from "../../../helpers/farm/farm.ts";

let folder: string;
let file: string;
let db: Database.Database;
let scripts: URL;

const script = (name: string, sql: string) => writeFileSync(join(folder, "scripts", name), sql);
const version = () => db.pragma("user_version", { simple: true });
const backups = () => readdirSync(folder).filter((name) => name.endsWith(".backup"));

beforeEach(() => {
  folder = aFolder();
  file = join(folder, "farm.db");
  db = new Database(file);
  mkdirSync(join(folder, "scripts"));
  scripts = pathToFileURL(join(folder, "scripts/"));
  script("0001_make.sql", "CREATE TABLE a (v TEXT) STRICT;");
});

afterEach(() => {
  db.close();
  removeFolder(folder);
});

test("test/schema.sql is the dump of a fresh database", () => {
  expect(dumpSchema()).toBe(readFileSync(schemaFile, "utf8"));
});

test("a fresh database comes to the newest version without a backup", () => {
  script("0002_more.sql", "ALTER TABLE a ADD COLUMN w TEXT;");
  migrate(db, file, scripts);
  expect([version(), backups()]).toEqual([firstVersion + 1, []]);
  expect(db.pragma("foreign_keys", { simple: true })).toBe(1);
});

test("a database with data is copied before it is changed", () => {
  migrate(db, file, scripts);
  db.exec("INSERT INTO a VALUES ('kept')");
  script("0002_drop.sql", "DROP TABLE a;");
  migrate(db, file, scripts);
  const [name = ""] = backups();
  const backup = new Database(join(folder, name), { readonly: true });
  expect([name, backup.prepare("SELECT v FROM a").all()]).toEqual([
    `farm.db.v${firstVersion}.${process.pid}.backup`,
    [{ v: "kept" }],
  ]);
  backup.close();
});

test("a database of the program's own version is left alone", () => {
  migrate(db, file, scripts);
  migrate(db, file, scripts);
  expect([version(), backups()]).toEqual([firstVersion, []]);
});

test("a newer database is refused with both versions", () => {
  db.pragma("user_version = 37");
  expect(() => migrate(db, file, scripts)).toThrow("has version 37, and this program knows 30 at most");
  expect(version()).toBe(37);
});

test("a step that fails changes nothing", () => {
  migrate(db, file, scripts);
  script("0002_half.sql", "CREATE TABLE b (v TEXT) STRICT; CREATE TABLE a (v TEXT) STRICT;");
  expect(() => migrate(db, file, scripts)).toThrow("table a already exists");
  expect([version(), db.prepare("SELECT name FROM sqlite_schema WHERE name = 'b'").all()]).toEqual([firstVersion, []]);
});

test("a database from before the first release is refused with its version", () => {
  db.pragma("user_version = 28");
  expect(() => migrate(db, file, scripts)).toThrow("has version 28, and this program upgrades from 29 on");
  expect([version(), backups()]).toEqual([28, []]);
});
