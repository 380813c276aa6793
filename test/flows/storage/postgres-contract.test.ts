import { afterAll, describe, test } from "vitest";
import { openPostgres } from "../../../coordinator/store/postgres/open.ts";
import { lazy } from "../../../shared/basics/get-or-insert.ts";
import { describeStore } from "../../coordinator/store/contract/index.ts";
import { emptyTables } from "../../helpers/postgres/empty.ts";
import { postgresLacks, startPostgresServer } from "../../servers/postgres.ts";

const lacks = postgresLacks();
if (lacks) console.warn(`SKIPPED: the contract of stores on a real PostgreSQL server: ${lacks}`);

const key = Buffer.alloc(32, 7);
const started = lazy(async () => {
  const server = await startPostgresServer();
  return { server, address: await server.database() };
});

afterAll(async () => {
  if (!lacks) await (await started()).server.remove();
});

/** A new store on the one database: its tables are emptied, not made anew. */
const open = async () => {
  const { server, address } = await started();
  const store = await openPostgres(address, key);
  await emptyTables({ ask: async (sql) => (await server.ask(address, sql)) as never });
  return store;
};

if (lacks) describe("a real PostgreSQL server", () => test.skip(lacks, () => undefined));
else describeStore("PostgreSQL", open);
