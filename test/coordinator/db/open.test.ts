import { chmodSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openDb } from "../../../coordinator/db/open.ts";
import { AppError } from "../../../shared/errors.ts";
import { aFolder, removeFolder } from "../../helpers/farm.ts";

let folder: string;

beforeEach(() => {
  folder = aFolder();
});

afterEach(() => removeFolder(folder));

const refusal = (place: string): AppError => {
  try {
    openDb(place);
  } catch (problem) {
    return problem as AppError; // checked by its class below
  }
  throw new Error("it was opened");
};

test("a folder that is not there is made, for its owner alone", async () => {
  const place = join(folder, "deep", "data");
  await openDb(place).close();
  expect(statSync(place).mode & 0o777).toBe(0o700);
});

test("a file in the place of the folder is refused by its name", () => {
  const place = join(folder, "file");
  writeFileSync(place, "");
  const problem = refusal(place);
  expect(problem).toBeInstanceOf(AppError);
  expect(problem).toMatchObject({ code: "UNAVAILABLE", message: expect.stringContaining(place) });
});

// Root may write everywhere.
test.skipIf(process.getuid?.() === 0)("a folder that cannot be written is refused (skipped for root, who may)", () => {
  chmodSync(folder, 0o500);
  expect(refusal(folder)).toMatchObject({ code: "UNAVAILABLE" });
  chmodSync(folder, 0o700);
});

test("a second coordinator is refused while the first one lives, and let in afterwards", async () => {
  const first = openDb(folder);
  expect(refusal(folder)).toMatchObject({
    code: "CONFLICT",
    message: `Another coordinator is using the data folder ${folder}`,
  });
  await first.close();
  await openDb(folder).close();
});

test("a database that is none is refused and lets the folder go", async () => {
  writeFileSync(join(folder, "farm.db"), "this is no database, however long it goes on ".repeat(100));
  expect(() => openDb(folder)).toThrow("not a database");
  removeFolder(join(folder, "farm.db"));
  await openDb(folder).close();
});

test("point reads and long reads see what was committed", async () => {
  const db = openDb(folder);
  await db.commit(() => db.writer.exec("INSERT INTO meta VALUES ('k', 'v')"));
  expect(db.point.prepare("SELECT value FROM meta WHERE key = 'k'").all()).toEqual([{ value: "v" }]);
  expect(await db.reader.all("SELECT value FROM meta WHERE key = ?", ["k"])).toEqual([{ value: "v" }]);
  await expect(db.reader.all("SELECT 1 FROM nowhere", [])).rejects.toThrow("no such table");
  await db.close();
  await expect(db.reader.all("SELECT 1", [])).rejects.toThrow("reading thread has ended");
});
