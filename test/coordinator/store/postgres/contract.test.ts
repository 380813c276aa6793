import { afterAll, beforeAll } from "vitest";
import { createCipher } from "../../../../coordinator/store/cipher.ts";
import type { Database } from "../../../../coordinator/store/postgres/connection/database.ts";
import { migrate } from "../../../../coordinator/store/postgres/migrate.ts";
import { postgresOn } from "../../../../coordinator/store/postgres/open.ts";
import { emptyTables } from "../../../helpers/postgres/empty.ts";
import { openPglite } from "../../../helpers/postgres/pglite.ts";
import { describeStore } from "../contract/index.ts";

const cipher = createCipher(Buffer.alloc(32, 7));
let database: Database;

beforeAll(async () => {
  database = await openPglite(cipher);
  await migrate(database, "in memory");
});

afterAll(() => database.close());

describeStore("PostgreSQL (in WebAssembly)", async () => {
  await emptyTables(database);
  const shared = { ...database, close: async () => undefined };
  return postgresOn({ batches: shared, decisions: shared, reads: shared, lease: shared }, cipher);
});
