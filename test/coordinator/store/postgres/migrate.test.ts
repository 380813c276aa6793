import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
import { createCipher } from "../../../../coordinator/store/cipher.ts";
import { isForOlder, migrate } from "../../../../coordinator/store/postgres/migrate.ts";
import { openPglite } from "../../../helpers/postgres/pglite.ts";

const folder = mkdtempSync(join(tmpdir(), "mediafarm-migrate-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A program that knows these scripts. */
const program = (name: string, scripts: Readonly<Record<string, string>>): URL => {
  mkdirSync(join(folder, name));
  for (const [file, sql] of Object.entries(scripts)) writeFileSync(join(folder, name, file), sql);
  return pathToFileURL(`${join(folder, name)}/`);
};

const old = { "0001_begin.sql": "CREATE TABLE things (id BIGINT)" };
const wider = { ...old, "0002_name_things.sql": `${isForOlder}\nALTER TABLE things ADD COLUMN name TEXT` };
const other = { ...wider, "0003_forget_ids.sql": "ALTER TABLE things DROP COLUMN id" };

test("an older program uses a newer database as long as all that is newer works beside it", async () => {
  const database = await openPglite(createCipher(Buffer.alloc(32)));
  const [first, second, third] = [program("old", old), program("wider", wider), program("other", other)];
  await migrate(database, "db", first);
  await migrate(database, "db", second);
  await migrate(database, "db", first);
  expect(await database.ask("SELECT version, works_with FROM schema_version")).toEqual([{ version: 2, works_with: 1 }]);
  await database.ask("INSERT INTO things (id) VALUES (1)");
  await migrate(database, "db", third);
  for (const each of [first, second])
    await expect(migrate(database, "db", each)).rejects.toThrow("has version 3, and this program knows");
  await migrate(database, "db", third);
  await database.close();
});

test("a database from before this was kept is one that older programs cannot use", async () => {
  const database = await openPglite(createCipher(Buffer.alloc(32)));
  await database.ask("CREATE TABLE schema_version AS SELECT 2::bigint AS version");
  await expect(migrate(database, "db", program("older", old))).rejects.toThrow("install a newer Mediafarm");
  await migrate(database, "db", program("same", wider));
  await database.close();
});
