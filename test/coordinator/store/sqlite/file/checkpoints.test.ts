import { statSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createCheckpoints } from "../../../../../coordinator/store/sqlite/file/checkpoints.ts";
import { createReader, type Reader } from "../../../../../coordinator/store/sqlite/reader.ts";
import { aFolder, removeFolder } from "../../../../helpers/farm/farm.ts";

let folder: string;
let writer: Database.Database;
let reader: Reader;
const file = () => join(folder, "farm.db");

beforeEach(() => {
  folder = aFolder();
  writer = new Database(file());
  for (const each of ["journal_mode = WAL", "synchronous = OFF", "wal_autocheckpoint = 4000"]) writer.pragma(each);
  writer.exec("CREATE TABLE rows (id INTEGER PRIMARY KEY, text TEXT)");
  reader = createReader(file(), Buffer.alloc(32));
});
afterEach(async () => {
  await reader.close();
  writer.close();
  removeFolder(folder);
});

/** Writes so many rows, each about a page of its own, a few at a time; somebody reads all the while. */
const writeBeside = async (count: number, after: () => Promise<void>): Promise<void> => {
  let isOver = false;
  const read = async (): Promise<void> => {
    while (!isOver) await reader.count("FROM rows", []);
  };
  const readers = [read(), read(), read()];
  const insert = writer.prepare("INSERT INTO rows (text) VALUES (?)");
  const insertSome = writer.transaction(() => {
    for (let nr = 0; nr < 10; nr += 1) insert.run("x".repeat(4000));
  });
  for (let nr = 0; nr < count; nr += 10) {
    insertSome.immediate();
    await after();
    await new Promise((resolve) => setImmediate(resolve));
  }
  isOver = true;
  await Promise.all(readers);
};

const logBytes = () => statSync(`${file()}-wal`).size;

test("the log begins anew again and again, although somebody always reads, and nothing is lost", async () => {
  const checkpoints = createCheckpoints({ writer, reader });
  await writeBeside(6000, () => {
    checkpoints.look();
    return checkpoints.settle();
  });
  expect(await reader.count("FROM rows WHERE length(text) = 4000", [])).toBe(6000);
  // All rows are six thousand pages.
  expect(logBytes()).toBeLessThan(1500 * 4200);
  expect(writer.pragma("integrity_check")).toEqual([{ integrity_check: "ok" }]);
}, 60_000);

/** Reads for some hundredths of a second. */
const longRead = () =>
  reader.all(
    "WITH RECURSIVE up(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM up LIMIT 100000) SELECT max(x) FROM up",
    [],
  );

test("a checkpoint waits for the read that runs, and not for those that wait", async () => {
  const order: string[] = [];
  await longRead();
  const asked = ["a", "b", "c", "d"].map((name) => longRead().then(() => order.push(name)));
  await reader.checkpoint(() => void order.push("rest"));
  await Promise.all(asked);
  expect(order.filter((each) => each !== "rest")).toEqual(["a", "b", "c", "d"]);
  expect(order.indexOf("rest")).toBeLessThanOrEqual(1);
}, 30_000);

test("what is asked meanwhile is answered afterwards, also where copying the rest fails", async () => {
  const order: string[] = [];
  const checkpoint = reader.checkpoint(() => {
    order.push("rest");
    throw new Error("the disk is full");
  });
  const after = reader.count("FROM rows", []).then(() => order.push("after"));
  await expect(checkpoint).rejects.toThrow("the disk is full");
  await after;
  expect(order).toEqual(["rest", "after"]);
});

test("several at once, a thread that ends in between, and a reader that is closed keep nobody waiting", async () => {
  await Promise.all([1, 2, 3].map(() => reader.checkpoint(() => undefined)));
  const left = reader.checkpoint(() => undefined);
  await reader.close();
  await Promise.allSettled([left]);
  await expect(reader.checkpoint(() => undefined)).rejects.toThrow("The reading thread has ended");
});
