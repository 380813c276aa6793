import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createReader, type Reader } from "../../../../coordinator/store/sqlite/reader.ts";
import { aFolder, removeFolder } from "../../../helpers/farm/farm.ts";

let folder: string;
let reader: Reader;

beforeEach(() => {
  folder = aFolder();
  reader = createReader(join(folder, "farm.db"), Buffer.alloc(32));
});

afterEach(async () => {
  await reader.close();
  removeFolder(folder);
});

const ask = () => reader.all("SELECT 1 AS one", []);

test("a thread that crashes fails what waits for it, and the next query starts another", async () => {
  await expect(Promise.all([ask(), ask()])).rejects.toThrow("unable to open database file");
  new Database(join(folder, "farm.db")).close();
  expect(await ask()).toEqual([{ one: 1 }]);
});

test("a closed reader answers no query", async () => {
  await reader.close();
  await expect(ask()).rejects.toThrow("The reading thread has ended");
});
