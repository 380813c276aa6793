import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openChecked } from "../../../agent/roots/checked-file.ts";
import * as backups from "../../../coordinator/backup/backup.ts";
import { openTestCoordinator, type TestCoordinator } from "../../helpers/farm/coordinator.ts";
import { aFolder, aSmallJob, removeFolder } from "../../helpers/farm/farm.ts";
import { asAnotherProgram } from "../../helpers/loop/in-process.ts";

const made = Date.UTC(2026, 10, 1, 12);
let folder: string;
let farm: TestCoordinator;

beforeEach(async () => {
  folder = aFolder();
  farm = await openTestCoordinator(join(folder, "coordinator"));
});
afterEach(async () => {
  await farm.coordinator.close();
  removeFolder(folder);
});

const place = (name: string) => join(folder, name);
const submit = async (name: string) => {
  const { status } = await farm.api("POST", "/jobs", { body: { ...aSmallJob(), name } });
  expect(status).toBe(200);
};
/** As the command line does, beside the coordinator's program. */
const beside =
  <Args extends readonly unknown[], Result>(work: (...args: Args) => Result) =>
  (...args: Args): Result =>
    asAnotherProgram(() => work(...args));
const [takeBackup, checkBackup, restoreBackup] = [
  beside(backups.takeBackup),
  beside(backups.checkBackup),
  beside(backups.restoreBackup),
];
const take = (name = "farm.backup") => takeBackup(place("coordinator"), place(name), made);

test("a backup of a running farm holds its jobs, its key and the local agent's identity", async () => {
  mkdirSync(place("agent"));
  writeFileSync(place("agent/identity.json"), '{"key":"a"}', { mode: 0o600 });
  const before = take("empty.backup");
  await submit("One job");
  expect(take()).toEqual({ ...before, file: place("farm.backup"), jobs: before.jobs + 1 });
  restoreBackup(place("farm.backup"), place("elsewhere/coordinator"));
  const same = (name: string) => readFileSync(place(name)).equals(readFileSync(place(`elsewhere/${name}`)));
  expect(["coordinator/secret.key", "agent/identity.json"].map(same)).toEqual([true, true]);
  const restored = new Database(place("elsewhere/coordinator/farm.db"), { readonly: true });
  expect(restored.prepare("SELECT name FROM jobs").pluck().all()).toEqual(["One job"]);
  expect(restored.prepare("SELECT name FROM sqlite_schema WHERE name LIKE 'backup%'").all()).toEqual([]);
  restored.close();
});

test("restored with revoking, no key and no join token of the backup opens the farm, and its nodes wait", async () => {
  await submit("One job");
  const kept = farm.coordinator.firstCredentials;
  const db = new Database(place("coordinator/farm.db"));
  db.exec(
    `INSERT INTO nodes (key_hash, state, hello, enrolled, last_seen, health, strikes) VALUES ('k', 'active', '{"name":"n"}', 1, 1, 'sound', 0);
     INSERT INTO records (kind, key, value) VALUES ('join_token', 'abc', '{}');`,
  );
  db.close();
  take();
  restoreBackup(place("farm.backup"), place("elsewhere/coordinator"), { revoke: made + 1 });
  const restored = new Database(place("elsewhere/coordinator/farm.db"), { readonly: true });
  const all = (sql: string) => restored.prepare(sql).pluck().all();
  expect(all("SELECT name FROM jobs")).toEqual(["One job"]);
  expect(
    all("SELECT count(*) FROM account UNION ALL SELECT count(*) FROM tokens UNION ALL SELECT count(*) FROM sessions"),
  ).toEqual([0, 0, 0]);
  expect(all("SELECT revoked FROM api_users")).toEqual([made + 1]);
  expect(all("SELECT key FROM records WHERE kind = 'join_token' OR key = 'join_secret'")).toEqual([]);
  expect(all("SELECT pending FROM nodes")).toEqual([1]);
  restored.close();
  // It is no whole node, as a start reads it.
  const writable = new Database(place("elsewhere/coordinator/farm.db"));
  writable.exec("DELETE FROM nodes");
  writable.close();

  const again = await openTestCoordinator(place("elsewhere/coordinator"));
  try {
    expect(again.coordinator.firstCredentials).not.toBeNull();
    expect(again.coordinator.firstCredentials).not.toEqual(kept);
    expect(again.coordinator.joinToken).not.toBe(farm.coordinator.joinToken);
    const old = {
      authorization: `Basic ${btoa(`${kept?.oapiKey}:${kept?.oapiSecret}`)}`,
      "x-service-compliance": "20261101",
    };
    expect((await fetch(`${again.coordinator.baseUrl}/nodes`, { headers: old })).status).toBe(401);
  } finally {
    await again.coordinator.close();
  }
});

test("no job reads a backup, wherever it lies and whatever it is called", async () => {
  take();
  cpSync(place("farm.backup"), place("films.mov"));
  const wanted = openChecked(await realpath(place("films.mov")));
  await expect(wanted).rejects.toThrow(/the database of a farm or a backup of one/);
  writeFileSync(
    place("other.db"),
    "SQLite format 3\0 of another program, which is longer than the part that is looked at",
  );
  await (await openChecked(await realpath(place("other.db")))).close();
});

test("nobody is signed in in a farm that was restored", async () => {
  await farm.api("GET", "/nodes"); // with a token of its own
  take();
  restoreBackup(place("farm.backup"), place("elsewhere/coordinator"));
  const count = (file: string) => {
    const db = new Database(place(file), { readonly: true });
    const found = ["tokens", "sessions"].map((table) => db.prepare(`SELECT count(*) FROM ${table}`).pluck().get());
    db.close();
    return found;
  };
  expect(count("coordinator/farm.db")[0]).toBeGreaterThan(0);
  expect(count("elsewhere/coordinator/farm.db")).toEqual([0, 0]);
});

test("only its owner can read a backup and what was restored from it", () => {
  take();
  restoreBackup(place("farm.backup"), place("elsewhere/coordinator"));
  const modes = ["farm.backup", "elsewhere/coordinator/farm.db", "elsewhere/coordinator/secret.key"].map(
    (name) => statSync(place(name)).mode & 0o777,
  );
  expect(modes).toEqual([0o600, 0o600, 0o600]);
});

test("a farm is never restored over another one", () => {
  take();
  expect(() => restoreBackup(place("farm.backup"), place("coordinator"))).toThrow(/There is a farm already: .*farm.db/);
});

test("a backup that was cut off, changed, or is none is refused by name", () => {
  take();
  const damaged = (name: string, damage: (file: string) => void) => {
    cpSync(place("farm.backup"), place(name));
    damage(place(name));
    return () => checkBackup(place(name));
  };
  const changed = (file: string) => {
    const bytes = readFileSync(file);
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    writeFileSync(file, bytes);
  };
  expect(damaged("cut", (file) => truncateSync(file, 5000))).toThrow(/cut cannot be used as a backup: it is cut off/);
  expect(damaged("longer", (file) => appendFileSync(file, "x"))).toThrow(/longer .* cut off, or not a backup/);
  expect(damaged("changed", changed)).toThrow(/changed .* bytes have changed since it was written/);
  expect(() => checkBackup(place("missing"))).toThrow(/missing cannot be read: ENOENT/);
  expect(() => checkBackup(place("coordinator/farm.db"))).toThrow(/not a backup/);
});

test("a backup that cannot be written leaves nothing behind", () => {
  expect(() => takeBackup(place("coordinator"), place("no-folder/farm.backup"), made)).toThrow(
    /The backup .*no-folder\/farm.backup could not be written/,
  );
  expect(existsSync(place("no-folder"))).toBe(false);
});
