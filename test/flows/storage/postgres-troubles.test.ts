import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCipher } from "../../../coordinator/store/cipher.ts";
import { readAddress } from "../../../coordinator/store/postgres/connection/address.ts";
import { createPool } from "../../../coordinator/store/postgres/connection/pool.ts";
import { openPostgres } from "../../../coordinator/store/postgres/open.ts";
import { createOperation } from "../../../coordinator/store/postgres/operation.ts";
import { systemClock } from "../../../shared/basics/system-clock.ts";
import { aJobRow, inserted, leading } from "../../helpers/farm/batches.ts";
import { type PostgresServer, postgresLacks, startPostgresServer } from "../../servers/postgres.ts";

const lacks = postgresLacks();
if (lacks) console.warn(`SKIPPED: troubles of a real PostgreSQL server: ${lacks}`);

const key = Buffer.alloc(32, 7);
const counters = { jobs: 1, tasks: 0, attempts: 0, nodes: 0 };

describe.skipIf(lacks)("a store on a PostgreSQL server that has troubles", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgresServer();
  }, 120_000);
  afterAll(() => server?.remove());

  /** A store, what writes its batches, and a transaction of somebody else's that holds a lock until it is told to end. */
  const open = async () => {
    const address = await server.database();
    const store = await openPostgres(address, key);
    return { address, store, lead: await leading(store) };
  };
  const backends =
    "SELECT pid FROM pg_stat_activity WHERE application_name = 'mediafarm' AND query LIKE '%write_batch%'";

  test("a batch whose connection is cut off is unknown; asking waits for what became of it", async () => {
    const { address, store, lead } = await open();
    // It waits for this lock in the middle of its transaction, when the lead has moved already.
    await server.ask(
      address,
      `CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(1); RETURN NEW; END';
       CREATE TRIGGER slow BEFORE INSERT ON jobs FOR EACH ROW EXECUTE FUNCTION slow()`,
    );
    const batch = { epoch: lead.epoch, nr: 1, changes: inserted(aJobRow(1)), counters };
    const written = store.write(batch);
    const cut = (async () => {
      for (;;) {
        const found = await server.ask(
          address,
          `SELECT pg_terminate_backend(pid) FROM (${backends} AND state = 'active') AS p`,
        );
        if (found.length > 0) return;
      }
    })();
    await expect(written).rejects.toMatchObject({ kind: "unknown" });
    await cut;
    const settled = await store.settle(batch);
    expect(settled).toEqual({ epoch: lead.epoch, batch: 2 });
    await server.ask(address, "DROP TRIGGER slow ON jobs");
    await store.write({ ...batch, nr: settled.batch + 1 });
    expect((await store.load.job(1))?.row).toEqual(aJobRow(1));
    await store.close();
  });

  test("a server that is away refuses batches and operations as a full disk does, and is used again when it is back", async () => {
    const { store, lead } = await open();
    await server.stop();
    const batch = { epoch: lead.epoch, nr: 1, changes: inserted(aJobRow(1)), counters };
    await expect(store.write(batch)).rejects.toMatchObject({ kind: expect.stringMatching(/disk|unknown/) });
    await expect(store.write(batch)).rejects.toMatchObject({ kind: "disk" });
    await expect(store.records.change("view", "a", () => "1")).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await server.start();
    await store.write(batch);
    await store.records.change("view", "a", () => "1");
    expect([await store.records.get("view", "a"), await store.leading()]).toEqual([
      "1",
      { epoch: lead.epoch, batch: 1 },
    ]);
    await store.close();
  });

  test("a coordinator that led before can store nothing more: no batch, and no operation either", async () => {
    const { address, store, lead } = await open();
    const other = await openPostgres(address, key);
    await store.records.change("view", "a", () => "of the first");
    await other.lead(0);
    await expect(lead.write(inserted(aJobRow(1)))).rejects.toMatchObject({ kind: "fenced" });
    await expect(store.records.change("view", "a", () => "too late")).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await expect(store.people.insert({ name: "Ada", role: "owner", passwordHash: "h", created: 1 })).rejects.toThrow(
      "Another coordinator leads",
    );
    expect(await other.records.get("view", "a")).toBe("of the first");
    await Promise.all([store.close(), other.close()]);
  });

  test("an operation with which this program was too slow to go on is made again", async () => {
    const address = await server.database();
    await (await openPostgres(address, key)).close();
    const pool = createPool(readAddress(address), createCipher(key), { most: 1 });
    let tries = 0;
    const change = createOperation(
      pool,
      { epoch: undefined },
      systemClock,
    )(async (ask) => {
      tries += 1;
      const [mine] = await ask<{ pid: number }>("SELECT pg_backend_pid() AS pid");
      const living = `SELECT 1 FROM pg_stat_activity WHERE pid = ${mine?.pid}`;
      while (tries === 1 && (await server.ask(address, living)).length > 0);
      return ask("SELECT 'done' AS said");
    });
    expect([await change(), tries]).toEqual([[{ said: "done" }], 2]);
    await pool.close();
  }, 60_000);

  test("a database that cannot be opened says what to do next", async () => {
    const address = await server.database();
    await server.ask(address, "CREATE ROLE guest LOGIN; CREATE TABLE jobs (of_another_program TEXT)");
    const opened = (at: string) => openPostgres(at, key);
    await expect(opened(address)).rejects.toThrow("give an empty database");
    await expect(opened(`${address}_missing`)).rejects.toThrow("Make it first");
    const guest = (await server.database()).replace("farm@", "guest@");
    await expect(opened(guest)).rejects.toThrow("Its user has to own it");
    const still = await server.database();
    await server.ask(still, `ALTER DATABASE ${still.split("/").at(-1)} SET default_transaction_read_only = on`);
    await expect(opened(still)).rejects.toThrow("give the address of the server that does");
  });

  test.each([
    [
      "is not UTF8",
      "CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0",
      "latin",
      "its encoding is LATIN1",
    ],
    [
      "acknowledges what is not on its disk",
      "CREATE DATABASE hasty; ALTER DATABASE hasty SET synchronous_commit = off",
      "hasty",
      "synchronous_commit is off",
    ],
  ])("a database that %s is refused in words", async (_, made, name, why) => {
    const address = await server.database();
    for (const sql of made.split("; ")) await server.ask(address, sql);
    await expect(openPostgres(address.replace(/[^/]*$/, name), key)).rejects.toThrow(why);
  });
});
