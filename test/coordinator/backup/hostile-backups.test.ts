import { execFileSync } from "node:child_process";
import { hash } from "node:crypto";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { takeBackup } from "../../../coordinator/backup/backup.ts";
import { rehearse } from "../../../coordinator/backup/rehearse.ts";
import { addTrailer } from "../../../coordinator/store/sqlite/file/trailer.ts";
import { AppError } from "../../../shared/basics/errors.ts";
import { Secret } from "../../../shared/basics/secret.ts";
import { openTestCoordinator } from "../../helpers/farm/coordinator.ts";
import { aFolder, aSmallJob, removeFolder } from "../../helpers/farm/farm.ts";

/** Whoever made the file may have written anything into it, and the right hash behind it. */
const trailerBytes = "\nmediafarm backup sha256 \n".length + 64;
let [source, folder] = ["", ""];
const good = () => join(source, "good.backup");
const file = () => join(folder, "backups", "farm.backup");
const scratch = () => join(folder, "scratch");

beforeAll(async () => {
  source = aFolder();
  const { api, coordinator } = await openTestCoordinator(join(source, "coordinator"));
  expect((await api("POST", "/jobs", { body: aSmallJob() })).status).toBe(200);
  await coordinator.close();
  takeBackup(join(source, "coordinator"), good(), 1000);
});
afterAll(() => removeFolder(source));
beforeEach(() => {
  folder = aFolder();
  for (const name of ["backups", "scratch"]) mkdirSync(join(folder, name));
  cpSync(good(), file());
});
afterEach(() => removeFolder(folder));

/** Changes the file as its maker could. */
const forge = (change: (db: Database.Database) => void): void => {
  truncateSync(file(), statSync(file()).size - trailerBytes);
  const db = new Database(file());
  db.pragma("foreign_keys = OFF");
  change(db);
  db.close();
  addTrailer(file());
};
const bytes = (change: () => void): void => {
  truncateSync(file(), statSync(file()).size - trailerBytes);
  change();
  addTrailer(file());
};
const sql = (text: string) => () => forge((db) => void db.exec(text));
const instead = (make: (path: string) => void) => () => {
  removeFolder(file());
  make(file());
};
const keptFile =
  (name: string, content = Buffer.from("x")) =>
  () =>
    forge(
      (db) => void db.prepare("INSERT INTO backup_files VALUES (?, ?, ?)").run(name, content, hash("sha256", content)),
    );

/** Changes the text of a table, which SQLite reads at the next start. */
const rewrite = (name: string, change: (made: string) => string) => () =>
  forge((db) => {
    db.unsafeMode(true);
    db.pragma("writable_schema = ON");
    const made = db.prepare<[string], string>("SELECT sql FROM sqlite_schema WHERE name = ?").pluck().get(name) ?? "";
    db.prepare("UPDATE sqlite_schema SET sql = ? WHERE name = ?").run(change(made), name);
  });
const costly = "length(hex(zeroblob(100000000))) > 1";
const endless = "WITH RECURSIVE up(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM up)";
const noBackup = /cannot be used as a backup/;

const refused: readonly (readonly [what: string, forge: () => void, said: RegExp])[] = [
  [
    "says in a view that never ends when it was made",
    sql(
      `DROP TABLE backup_about; CREATE VIEW backup_about AS ${endless} SELECT x AS made, 'a' AS program FROM up WHERE x < 0`,
    ),
    /it holds a view, "backup_about"/,
  ],
  [
    "holds files in a view that never ends",
    sql(
      `DROP TABLE backup_files; CREATE VIEW backup_files AS ${endless} SELECT x AS name, x AS bytes, x AS sha256 FROM up`,
    ),
    /it holds a view/,
  ],
  [
    "has a job for every number there is",
    sql(`ALTER TABLE jobs RENAME TO others; CREATE VIEW jobs AS ${endless} SELECT x AS id FROM up`),
    /it holds a view/,
  ],
  [
    "does something where sessions are deleted",
    sql("CREATE TRIGGER gone AFTER DELETE ON sessions BEGIN UPDATE people SET role = 'owner'; END"),
    /it holds a trigger, "gone"/,
  ],
  [
    "holds a table of a module",
    sql("CREATE VIRTUAL TABLE words USING fts5(text)"),
    /it holds a virtual table, "words"/,
  ],
  [
    "computes a column of a megabyte",
    sql(
      "DROP TABLE backup_about; CREATE TABLE backup_about (made INTEGER, program TEXT AS (printf('%.*c', 1000000, 'x'))); INSERT INTO backup_about VALUES (1)",
    ),
    /it holds a computed column, "backup_about.program"/,
  ],
  [
    "brings a file of two megabytes",
    keptFile("agent/x", Buffer.alloc(2 * 1024 * 1024)),
    /the files beside the database/,
  ],
  [
    "brings a thousand files",
    () =>
      forge((db) => {
        const insert = db.prepare("INSERT INTO backup_files VALUES (?, x'', ?)");
        db.transaction(() => {
          for (let nr = 0; nr < 1000; nr += 1) insert.run(`f${nr}`, hash("sha256", ""));
        })();
      }),
    /the files beside the database/,
  ],
  [
    "brings a file that is text",
    sql(
      "DROP TABLE backup_files; CREATE TABLE backup_files (name, bytes, sha256); INSERT INTO backup_files VALUES ('a', 'b', 'c')",
    ),
    /are not those of a farm of version/,
  ],
  ["brings a file of another hash", sql("UPDATE backup_files SET sha256 = 'x'"), /its copy of \S+ is damaged/],
  [
    "was made by a program with a terminal's signs in its name",
    sql("UPDATE backup_about SET program = char(27) || '[2J'"),
    /by what/,
  ],
  ["was made by a program of a megabyte", sql("UPDATE backup_about SET program = hex(zeroblob(500000))"), /by what/],
  [
    "was made at a time that no date says",
    sql("UPDATE backup_about SET made = 9000000000000000000"),
    /when it was made/,
  ],
  ["was made before all time", sql("UPDATE backup_about SET made = -1"), /when it was made/],
  ["was made twice over", sql("DELETE FROM backup_about"), /when it was made/],
  ["has version 0", sql("PRAGMA user_version = 0"), /version 0, which no Mediafarm made/],
  ["has a version below zero", sql("PRAGMA user_version = -5"), /version -5/],
  ["has a version of long ago", sql("PRAGMA user_version = 5"), /version 5/],
  ["comes from the future", sql("PRAGMA user_version = 99999"), /newer than this one/],
  ["has the version of an older farm", sql("PRAGMA user_version = 30"), /are not those of a farm of version 30/],
  [
    "checks its rows for long",
    rewrite("jobs", (made) => made.replace("name TEXT NOT NULL", `name TEXT NOT NULL CHECK (${costly})`)),
    /are not those of a farm of version/,
  ],
  [
    "checks nothing, and has a person of a role that nobody has",
    () => {
      rewrite("people", (made) => made.replace(/ CHECK \(role IN \([^)]*\)\)/, ""))();
      forge(
        (db) =>
          void db.exec(
            "INSERT INTO people (name, name_key, role, password_hash, created) VALUES ('a', 'a', 'king', 'x', 1)",
          ),
      );
    },
    /are not those of a farm of version/,
  ],
  [
    "computes for long what it is indexed by",
    sql(`CREATE INDEX own ON jobs (name) WHERE ${costly}`),
    /are not those of a farm of version/,
  ],
  [
    "computes for long what a new row has",
    sql(`ALTER TABLE sessions ADD COLUMN own TEXT DEFAULT (hex(zeroblob(100000000)))`),
    /are not those of a farm of version/,
  ],
  ["has no jobs", sql("DROP TABLE jobs"), noBackup],
  ["has no account", sql("DROP TABLE account"), noBackup],
  [
    "has an account of numbers",
    sql("DROP TABLE account; CREATE TABLE account (oapi_secret); INSERT INTO account VALUES (7)"),
    noBackup,
  ],
  ["has tasks of no job", sql("DELETE FROM jobs"), noBackup],
  [
    "has another key",
    sql(`UPDATE backup_files SET bytes = zeroblob(32), sha256 = '${hash("sha256", Buffer.alloc(32))}'`),
    /its key does not open/,
  ],
  [
    "has a key of one byte",
    sql(`UPDATE backup_files SET bytes = x'00', sha256 = '${hash("sha256", Buffer.alloc(1))}'`),
    /its key does not open/,
  ],
  [
    "names its tables as a terminal would not like it",
    sql(
      `CREATE TABLE "a${"\u001b[2J".repeat(300)}" (b REFERENCES gone(c)); INSERT INTO "a${"\u001b[2J".repeat(300)}" VALUES (1)`,
    ),
    noBackup,
  ],
  [
    "has a schema that is no SQL",
    () =>
      forge((db) => {
        db.unsafeMode(true);
        db.exec("PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'CREATE nonsense' WHERE name = 'jobs'");
      }),
    noBackup,
  ],
  [
    "has a schema whose pages are those of another table",
    () =>
      forge((db) => {
        db.unsafeMode(true);
        db.exec("PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = 1 WHERE name = 'tasks'");
      }),
    noBackup,
  ],
  ["lost its last pages", () => bytes(() => truncateSync(file(), statSync(file()).size - 3 * 4096)), noBackup],
  [
    "has pages of nothing but ones",
    () =>
      bytes(() => {
        const all = readFileSync(file());
        all.fill(0xff, 4096 * 3, 4096 * 40);
        writeFileSync(file(), all);
      }),
    noBackup,
  ],
  ["goes on behind its end", () => appendFileSync(file(), "more"), /cut off, or not a backup/],
  ["is a pipe that nobody writes", instead((path) => execFileSync("mkfifo", [path])), /it is no file/],
  ["is a folder", instead((path) => mkdirSync(path)), /it is no file/],
  ["is a device without an end", instead((path) => symlinkSync("/dev/zero", path)), /it is no file/],
  ["leads nowhere", instead((path) => symlinkSync("/nowhere", path)), /cannot be read/],
  ["leads to itself", instead((path) => symlinkSync(path, path)), /cannot be read/],
  ["is empty", instead((path) => writeFileSync(path, "")), /cut off, or not a backup/],
];

test.each(refused)(
  "a backup that %s is refused in words",
  async (_, make, said) => {
    make();
    const problem = await rehearse(file(), scratch()).catch((each: unknown) => each);
    expect(problem).toBeInstanceOf(AppError);
    const { message } = problem as AppError; // just seen
    expect(message).toMatch(said);
    expect(message.length).toBeLessThan(1000);
    expect(readdirSync(join(folder, "backups"))).toEqual(["farm.backup"]);
  },
  60_000,
);

const taken: readonly (readonly [what: string, forge: () => void])[] = [
  ["names a file above its folder", keptFile("../../../evil")],
  ["names a file by its whole path", keptFile(join("/tmp", "mediafarm-evil"))],
  ["names a file within the database's folder", keptFile("coordinator/lock.db")],
  ["names a file by an object's", keptFile("__proto__")],
  ["has a log beside it", () => writeFileSync(`${file()}-wal`, Buffer.alloc(4096, 1))],
];

test.each(taken)(
  "of a backup that %s, no more is taken than a farm has",
  async (_, make) => {
    make();
    const before = readdirSync(folder);
    expect(await rehearse(file(), scratch())).toMatchObject({ jobs: 1 });
    expect(readdirSync(folder)).toEqual(before);
    expect(readdirSync(scratch()).sort()).toEqual(["after.backup", "coordinator"]);
    expect(existsSync("/tmp/mediafarm-evil")).toBe(false);
  },
  60_000,
);

test("a backup with a journal beside it, which would change it, is refused", async () => {
  writeFileSync(`${file()}-journal`, Buffer.alloc(4096, 1));
  await expect(rehearse(file(), scratch())).rejects.toThrow(noBackup);
});

test("a key that is given must be the farm's", async () => {
  forge((db) => void db.exec("DELETE FROM backup_files"));
  const wrong = new Secret(Buffer.alloc(32, 1).toString("base64"));
  await expect(rehearse(file(), scratch(), wrong)).rejects.toThrow(/The key that was given does not open the secrets/);
});
