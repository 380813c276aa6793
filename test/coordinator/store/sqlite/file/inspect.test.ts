import { hash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { inspectDatabase } from "../../../../../coordinator/store/sqlite/file/inspect.ts";
import { newestVersion } from "../../../../../coordinator/store/sqlite/migrate.ts";
import { openTestCoordinator } from "../../../../helpers/farm/coordinator.ts";
import { aFolder, removeFolder } from "../../../../helpers/farm/farm.ts";

let folder: string;
let file: string;
let scratch: string;

beforeEach(() => {
  folder = aFolder();
  file = join(folder, "coordinator/farm.db");
  scratch = join(folder, "scratch");
  mkdirSync(scratch);
});
afterEach(() => removeFolder(folder));

/** Everything in the farm's folder: names, contents, times of writing. */
const contents = () =>
  readdirSync(join(folder, "coordinator"))
    .sort()
    .map((name) => {
      const path = join(folder, "coordinator", name);
      return [name, hash("sha256", readFileSync(path)), statSync(path).mtimeMs];
    });

const aStoppedFarm = async (): Promise<void> => {
  const { coordinator } = await openTestCoordinator(join(folder, "coordinator"));
  await coordinator.close();
};

test("the database of a farm that stands still is checked in a copy, and nothing beside it changes", async () => {
  await aStoppedFarm();
  const before = contents();
  expect(inspectDatabase(file, { isOpen: false, scratch })).toEqual({
    ...{ problem: undefined, how: "copy", bytes: statSync(file).size },
    ...{ version: newestVersion(), newest: newestVersion() },
  });
  expect(contents()).toEqual(before);
});

test("the database of a running farm is read beside it, and nothing changes", async () => {
  const { coordinator } = await openTestCoordinator(join(folder, "coordinator"));
  const before = contents().filter(([name]) => name !== "farm.db-shm"); // marks of readers are there
  expect(inspectDatabase(file, { isOpen: true, scratch })).toMatchObject({
    ...{ problem: undefined, how: "live", version: newestVersion() },
  });
  expect(contents().filter(([name]) => name !== "farm.db-shm")).toEqual(before);
  expect(readdirSync(scratch)).toEqual([]);
  await coordinator.close();
});

test("a damaged page is told", async () => {
  await aStoppedFarm();
  const bytes = readFileSync(file);
  const pageSize = bytes.readUInt16BE(16);
  bytes.fill(0xff, pageSize, 3 * pageSize);
  writeFileSync(file, bytes);
  const { problem } = inspectDatabase(file, { isOpen: false, scratch });
  expect(problem).toMatch(/^(?:it is damaged: |SQLite cannot read it: )/);
});

test("what is no database, or another program's, is told by its head", () => {
  mkdirSync(join(folder, "coordinator"));
  writeFileSync(file, "some other text");
  const look = () => inspectDatabase(file, { isOpen: false, scratch }).problem;
  expect(look()).toBe("it is not an SQLite database");
  const other = new Database(join(folder, "other.db"));
  other.exec("PRAGMA application_id = 7; CREATE TABLE films (name TEXT)");
  other.close();
  writeFileSync(file, readFileSync(join(folder, "other.db")));
  expect(look()).toBe("it is the database of another program");
});
