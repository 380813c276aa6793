import { afterAll, describe, test } from "vitest";
import { openPostgres } from "../../../coordinator/store/postgres/open.ts";
import { lazy } from "../../../shared/basics/get-or-insert.ts";
import { describeStore } from "../../coordinator/store/contract/index.ts";
import { inCi } from "../../helpers/long.ts";
import { emptyTables } from "../../helpers/postgres/empty.ts";
import { pgbouncerLacks, startPgBouncer } from "../../servers/pgbouncer.ts";
import { postgresLacks, startPostgresServer } from "../../servers/postgres.ts";

const lacks = postgresLacks();
if (lacks) console.warn(`SKIPPED: the contract of stores on a real PostgreSQL server: ${lacks}`);
const bouncerLacks = lacks ?? pgbouncerLacks() ?? (inCi ? undefined : "tried by .ci/run and npm run long");
if (bouncerLacks) console.warn(`SKIPPED: the contract of stores behind PgBouncer: ${bouncerLacks}`);

const key = Buffer.alloc(32, 7);
const started = lazy(async () => {
  const server = await startPostgresServer();
  return { server, address: await server.database() };
});
const bouncer = lazy(async () => startPgBouncer((await started()).server));

afterAll(async () => {
  if (!bouncerLacks) await (await bouncer()).remove();
  if (!lacks) await (await started()).server.remove();
});

/** A new store on the one database: its tables are emptied, not made anew. */
const openAt = async (way: (address: string) => string | Promise<string>) => {
  const { server, address } = await started();
  const store = await openPostgres(await way(address), key);
  await emptyTables({ ask: async (sql) => (await server.ask(address, sql)) as never });
  return store;
};

if (lacks) describe("a real PostgreSQL server", () => test.skip(lacks, () => undefined));
else describeStore("PostgreSQL", () => openAt((address) => address));

if (bouncerLacks) describe("PgBouncer in transaction mode", () => test.skip(bouncerLacks, () => undefined));
else describeStore("PostgreSQL behind PgBouncer", () => openAt(async (address) => (await bouncer()).through(address)));
