import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createOperation, createSwiftOperation } from "../../../../coordinator/store/sqlite/operation.ts";
import { aFolder, removeFolder } from "../../../helpers/farm/farm.ts";

let folder: string;

beforeEach(() => {
  folder = aFolder();
});

afterEach(() => removeFolder(folder));

const full = 2;
const normal = 1;

const aDatabase = () => {
  const writer = new Database(join(folder, "a.db"));
  writer.pragma("journal_mode = WAL");
  writer.pragma("synchronous = FULL");
  writer.exec("CREATE TABLE seen (synchronous INTEGER)");
  const note = (fail: boolean): number => {
    const synchronous = Number(writer.pragma("synchronous", { simple: true }));
    writer.prepare("INSERT INTO seen VALUES (?)").run(synchronous);
    if (fail) throw new Error("no");
    return synchronous;
  };
  return { writer, note, rows: () => writer.prepare("SELECT synchronous FROM seen").pluck().all() };
};

test("an operation waits for the disk", async () => {
  const { writer, note } = aDatabase();
  expect(await createOperation(writer)(note)(false)).toBe(full);
});

test("a swift operation does not, and whatever follows it does again, even if it failed", async () => {
  const { writer, note, rows } = aDatabase();
  const swift = createSwiftOperation(writer)(note);
  expect(await swift(false)).toBe(normal);
  await expect(swift(true)).rejects.toThrow("no");
  expect(writer.pragma("synchronous", { simple: true })).toBe(full);
  expect(await createOperation(writer)(note)(false)).toBe(full);
  expect(rows()).toEqual([normal, full]);
});
