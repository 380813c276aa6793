import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { moveStore } from "../../../coordinator/move-store.ts";
import { checkSealingKey } from "../../../coordinator/secrets/sealing-key.ts";
import { createVault } from "../../../coordinator/secrets/vault.ts";
import { movingAddress } from "../../../coordinator/store/move/tables.ts";
import { openPostgres } from "../../../coordinator/store/postgres/open.ts";
import { Secret } from "../../../shared/basics/secret.ts";
import { fillAllTables } from "../../coordinator/store/move/all-rows.ts";
import { createTestClock } from "../../helpers/clock.ts";
import { aFolder, removeFolder } from "../../helpers/farm/farm.ts";
import { type PostgresServer, postgresLacks, startPostgresServer } from "../../servers/postgres.ts";

const lacks = postgresLacks();
if (lacks) console.warn(`SKIPPED: moves of a farm out of a database that others use: ${lacks}`);

const bytes = Buffer.alloc(32, 7);
const key = new Secret(bytes.toString("base64"));
const ms = 60_000;

describe.skipIf(lacks)("a farm that is moved out of a database", () => {
  let server: PostgresServer;
  const folders: string[] = [];
  beforeAll(async () => {
    server = await startPostgresServer();
  }, 120_000);
  afterAll(async () => {
    await server?.remove();
    for (const each of folders) removeFolder(each);
  });

  /** A farm in a database, and what moves it into a folder. */
  const aFarm = async () => {
    const from = await server.database();
    const store = await openPostgres(from, bytes);
    await fillAllTables(store);
    await checkSealingKey(store, createVault("", key));
    const to = aFolder();
    folders.push(to);
    mkdirSync(join(to, "coordinator"));
    const given = { from, to: join(to, "coordinator"), secretKey: key, password: undefined };
    const by = { user: "ann", at: 5 };
    const move = () => moveStore({ ...given, by, clock: createTestClock() }, () => undefined);
    return { lease: store.lease as NonNullable<typeof store.lease>, move, from, close: store.close }; // this engine has one
  };

  test("is refused while a coordinator leads or stands by, and goes on once they have ended", async () => {
    const { lease, move, close } = await aFarm();
    await lease.take({ holder: "one", address: "http://one.lan", ms });
    await lease.wait({ holder: "two", address: "http://two.lan" });
    await expect(move()).rejects.toThrow("A coordinator uses this database (http://one.lan): stop all");
    await lease.give("one");
    await expect(move()).rejects.toThrow("A coordinator stands by (http://two.lan): stop all");
    expect(await lease.leader()).toBe(undefined);
    await lease.leave("two");
    await move();
    await close();
  });

  test("is refused where another move goes on, or was killed, and says that this ends", async () => {
    const { lease, move, close } = await aFarm();
    await lease.take({ holder: "killed", address: movingAddress, ms });
    await expect(move()).rejects.toThrow("or one that was killed did: try again in a minute");
    await close();
  });

  test("has not moved if its lease ended on the way, as of a machine that slept, and a coordinator led", async () => {
    const { move, from, close } = await aFarm();
    // As soon as the move is noted.
    await server.ask(
      from,
      `CREATE FUNCTION sleep() RETURNS trigger LANGUAGE plpgsql AS
         'BEGIN UPDATE lease SET holder = NULL, until = ''-infinity'', term = term + 1; RETURN NEW; END';
       CREATE TRIGGER sleep BEFORE INSERT ON trail FOR EACH ROW EXECUTE FUNCTION sleep()`,
    );
    await expect(move()).rejects.toThrow("A coordinator used this database while the farm was moved");
    await close();
  });
});
