import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createCipher } from "../../../coordinator/store/cipher.ts";
import type { Database as Postgres } from "../../../coordinator/store/postgres/connection/database.ts";
import { migrate } from "../../../coordinator/store/postgres/migrate.ts";
import { postgresOn } from "../../../coordinator/store/postgres/open.ts";
import { openSqlite } from "../../../coordinator/store/sqlite/open.ts";
import type { Store } from "../../../coordinator/store/store.ts";
import { checkTrail } from "../../../coordinator/trail/check.ts";
import { aFolder, removeFolder } from "../../helpers/farm/farm.ts";
import { emptyTables } from "../../helpers/postgres/empty.ts";
import { openPglite } from "../../helpers/postgres/pglite.ts";
import { aLine } from "../store/contract/trail.ts";

/** A store, and a way around it for somebody who has its database. */
type Tampered = { readonly store: Store; readonly run: (sql: string) => unknown };

const attacks: Readonly<Record<string, readonly [sql: string, told: string]>> = {
  "a line that was removed": ["DELETE FROM trail WHERE id = 3", "Line 3 is missing"],
  "the first line": ["DELETE FROM trail WHERE id = 1", "Line 1 is missing"],
  "the last lines": ["DELETE FROM trail WHERE id > 4", "Lines 5 to 6 are missing"],
  "all lines": ["DELETE FROM trail", "Lines 1 to 6 are missing"],
  "a name that was altered": [
    "UPDATE trail SET who = 'Eve' WHERE id = 2",
    "Line 2 was altered, or stands in another's place",
  ],
  "a time that was altered": [
    "UPDATE trail SET at = at + 1 WHERE id = 6",
    "Line 6 was altered, or stands in another's place",
  ],
  "lines that changed places": [
    "UPDATE trail SET id = id + 100 WHERE id IN (2, 3); UPDATE trail SET id = 2 WHERE id = 103; UPDATE trail SET id = 3 WHERE id = 102",
    "Line 2 was altered, or stands in another's place",
  ],
  "a removed line whose numbers were closed up": [
    "DELETE FROM trail WHERE id = 3; UPDATE trail SET id = id - 1 WHERE id = 4; UPDATE trail SET id = id - 1 WHERE id = 5; UPDATE trail SET id = id - 1 WHERE id = 6",
    "Line 3 was altered, or stands in another's place",
  ],
  "an end that was moved to hide the last lines": [
    "DELETE FROM trail WHERE id > 4; UPDATE trail_ends SET last = 4, hash = (SELECT hash FROM trail WHERE id = 4)",
    "The record of where the lines begin and end was altered, or sealed with another key",
  ],
  "an anchor that was moved to hide the first lines": [
    "UPDATE trail_ends SET first = 3, before = (SELECT hash FROM trail WHERE id = 2); DELETE FROM trail WHERE id < 3",
    "The record of where the lines begin and end was altered, or sealed with another key",
  ],
  "ends that were removed": ["DELETE FROM trail_ends", "The record of where the lines begin and end is missing"],
};

const describeChain = (name: string, open: () => Promise<Tampered>): void => {
  describe(`the chain on ${name}`, () => {
    let tampered: Tampered;
    beforeEach(async () => {
      tampered = await open();
      for (const nr of [1, 2, 3, 4, 5, 6]) await tampered.store.trail.add([aLine(`nr=${nr}`)], 100);
    });
    afterEach(() => tampered.store.close());

    test("is whole as it was written, and after its oldest lines went", async () => {
      expect(await checkTrail(tampered.store)).toEqual({ lines: 6, first: 1, last: 6, problem: null });
      await tampered.store.trail.add([aLine("nr=7")], 4);
      expect(await checkTrail(tampered.store)).toEqual({ lines: 4, first: 4, last: 7, problem: null });
    });

    test.each(Object.entries(attacks))("tells %s", async (_, [sql, problem]) => {
      for (const statement of sql.split("; ")) await tampered.run(statement);
      expect((await checkTrail(tampered.store)).problem).toBe(problem);
    });
  });
};

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) removeFolder(folder);
});

describeChain("SQLite", async () => {
  const folder = aFolder();
  folders.push(folder);
  const store = openSqlite(folder);
  const run = (sql: string): void => {
    const db = new Database(join(folder, "farm.db"));
    db.exec(sql);
    db.close();
  };
  return { store, run };
});

const cipher = createCipher(Buffer.alloc(32, 7));
let database: Postgres;
beforeAll(async () => {
  database = await openPglite(cipher);
  await migrate(database, "in memory");
});
afterAll(() => database.close());

describeChain("PostgreSQL", async () => {
  await emptyTables(database);
  const shared = { ...database, close: async () => undefined };
  return {
    store: postgresOn({ batches: shared, decisions: shared, reads: shared, lease: shared }, cipher),
    run: database.ask,
  };
});
