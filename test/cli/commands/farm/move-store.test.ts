import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { checkSealingKey } from "../../../../coordinator/secrets/sealing-key.ts";
import { createVault } from "../../../../coordinator/secrets/vault.ts";
import { movedTables } from "../../../../coordinator/store/move/tables.ts";
import { openSqlite } from "../../../../coordinator/store/sqlite/open.ts";
import { fillAllTables } from "../../../coordinator/store/move/all-rows.ts";
import { aFolder, removeFolder } from "../../../helpers/farm/farm.ts";
import { runHere } from "../../../helpers/processes/cli.ts";

let root: string;
let [from, to] = ["", ""];
beforeEach(async () => {
  root = aFolder();
  [from, to] = [join(root, "old"), join(root, "new")];
  const folder = join(from, "coordinator");
  for (const each of [folder, join(to, "coordinator")]) mkdirSync(each, { recursive: true });
  writeFileSync(join(folder, "secret.key"), Buffer.alloc(32, 7), { mode: 0o600 });
  const store = openSqlite(folder);
  await fillAllTables(store);
  await checkSealingKey(store, createVault(folder));
  await store.close();
});
afterEach(() => removeFolder(root));

test("each table is a line for people: its rows and the beginning of its hash", async () => {
  const { status, stdout, stderr } = await runHere(["move-store", from, to]);
  expect([status, stderr]).toEqual([0, ""]);
  const lines = stdout.split("\n");
  const isAbout = movedTables.map(({ name }, at) =>
    new RegExp(`^${name}: \\d+ rows, [0-9a-f]{16}$`).test(lines[at] ?? ""),
  );
  expect(isAbout).not.toContain(false);
  expect(lines.slice(movedTables.length)).toEqual(["The farm has moved: both stores hold the same rows.", ""]);
});

test("a key that is none is told as that, and not as another farm's", async () => {
  for (const key of ["abc", Buffer.alloc(31).toString("base64"), Buffer.alloc(33).toString("base64")]) {
    const { status, stderr } = await runHere(["move-store", from, to], { env: { MEDIAFARM_SECRET_KEY: key } });
    expect([status, stderr]).toEqual([1, expect.stringContaining("it must be 32 bytes in base64")]);
  }
});
