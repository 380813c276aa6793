import { chmodSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openSqlite } from "../../../../coordinator/store/sqlite/open.ts";
import { AppError } from "../../../../shared/basics/errors.ts";
import { aFolder, removeFolder } from "../../../helpers/farm/farm.ts";

let folder: string;

beforeEach(() => {
  folder = aFolder();
});

afterEach(() => removeFolder(folder));

const refusal = (place: string): AppError => {
  try {
    openSqlite(place);
  } catch (problem) {
    return problem as AppError; // checked by its class below
  }
  throw new Error("it was opened");
};

test("a folder that is not there is made, for its owner alone", async () => {
  const place = join(folder, "deep", "data");
  await openSqlite(place).close();
  expect(statSync(place).mode & 0o777).toBe(0o700);
});

test("a database that is new, or was put there readable by everybody, is its owner's alone", async () => {
  const modes = () =>
    new Set(readdirSync(folder).map((name) => (statSync(join(folder, name)).mode & 0o777).toString(8)));
  const fresh = openSqlite(folder);
  expect(modes()).toEqual(new Set(["600"]));
  await fresh.close();
  for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o644);
  writeFileSync(join(folder, "secret.key"), "a restored key", { mode: 0o644 });
  const restored = openSqlite(folder);
  expect(modes()).toEqual(new Set(["600"]));
  await restored.close();
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
  const first = openSqlite(folder);
  expect(refusal(folder)).toMatchObject({
    code: "CONFLICT",
    message: `Another coordinator is using the data folder ${folder}`,
  });
  await first.close();
  await openSqlite(folder).close();
});

test("a database that is none is refused and lets the folder go", async () => {
  writeFileSync(join(folder, "farm.db"), "this is no database, however long it goes on ".repeat(100));
  expect(() => openSqlite(folder)).toThrow("not a database");
  removeFolder(join(folder, "farm.db"));
  await openSqlite(folder).close();
});

test("point reads and long reads see what was written, until the store is closed", async () => {
  const store = openSqlite(folder);
  await store.records.change("preset", "p", () => "{}");
  expect([await store.records.get("preset", "p"), await store.records.all("preset")]).toEqual([
    "{}",
    [{ key: "p", value: "{}" }],
  ]);
  await store.close();
  await expect(store.records.all("preset")).rejects.toThrow("reading thread has ended");
});
