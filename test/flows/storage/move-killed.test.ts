import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkSealingKey } from "../../../coordinator/secrets/sealing-key.ts";
import { createVault } from "../../../coordinator/secrets/vault.ts";
import { type MovedRow, type MovedTable, movedTables } from "../../../coordinator/store/move/tables.ts";
import { sqliteTables } from "../../../coordinator/store/sqlite/moved-tables.ts";
import { openSqlite } from "../../../coordinator/store/sqlite/open.ts";
import { Secret } from "../../../shared/basics/secret.ts";
import { fillAllTables } from "../../coordinator/store/move/all-rows.ts";
import { aFolder, removeFolder } from "../../helpers/farm/farm.ts";
import { seed, times } from "../../helpers/long.ts";
import { exitOf, startProgram } from "../../helpers/processes/farm-processes.ts";
import { randomFrom } from "../../helpers/random/random.ts";
import { type PostgresServer, postgresLacks, startPostgresServer } from "../../servers/postgres.ts";

const lacks = postgresLacks();
if (lacks) console.warn(`SKIPPED: farms whose move is killed: ${lacks}`);

const key = Buffer.alloc(32, 7).toString("base64");
const main = join(import.meta.dirname, "../../../cli/main.ts");
/** How often the program that moves is killed on each way. */
const kills = times(2, 4, 25);

describe.skipIf(lacks)("a farm whose move is killed at random points", () => {
  let server: PostgresServer;
  const folders: string[] = [];
  beforeAll(async () => {
    server = await startPostgresServer();
  }, 120_000);
  afterAll(async () => {
    await server?.remove();
    for (const each of folders) removeFolder(each);
  });
  const aPlace = (): string => {
    const made = aFolder();
    folders.push(made);
    mkdirSync(join(made, "coordinator"));
    return made;
  };

  /** A killed mover keeps the lease of a database for a minute: here that minute is over at once. */
  const endLease = (address: string) =>
    server.ask(address, "UPDATE lease SET until = '-infinity' WHERE holder IS NOT NULL");
  const move = (from: string, to: string) =>
    startProgram(main, ["move-store", "--json", from, to], {
      ...process.env,
      MEDIAFARM_SECRET_KEY: key,
      XDG_CONFIG_HOME: from.startsWith("postgres") ? to : from,
    });
  const random = randomFrom(seed);

  /**
   * Kills it again and again, each time some tables and milliseconds further or nearer, until it ends by itself. One that is killed
   * when all has moved finds a farm there when it is begun again.
   */
  const moveKilled = async (from: string, to: string, address: string) => {
    const points: string[] = [];
    for (let nth = 0; nth < kills; nth += 1) {
      const { child, stderr } = move(from, to);
      const [lines, ms] = [random.integer(0, movedTables.length), random.integer(0, 60)];
      let heard = 0;
      const far = new Promise<void>((resolve) => {
        child.stdout?.on("data", (text: Buffer) => {
          heard += String(text).split("\n").length - 1;
          if (heard >= lines) resolve();
        });
      });
      await Promise.race([far.then(() => pause(ms)), exitOf(child)]);
      child.kill("SIGKILL");
      const status = await exitOf(child);
      await endLease(address);
      points.push(`${heard} tables`);
      if (status === 0 || stderr().includes("The new store has a farm already")) return points;
      if (status !== null) throw new Error(`the move ended with ${status}: ${stderr()}`);
    }
    const last = move(from, to);
    const status = await exitOf(last.child);
    if (last.stderr().includes("The new store has a farm already")) return points;
    expect([status, last.stderr()]).toEqual([0, ""]);
    return points;
  };

  test(`is the same after it moved to PostgreSQL and back (seed ${seed})`, async () => {
    const [before, back] = [aPlace(), aPlace()];
    const store = openSqlite(join(before, "coordinator"), new Secret(key));
    await fillAllTables(store);
    await store.records.change("farm", "farm_id", () => "this farm");
    await checkSealingKey(store, createVault("", new Secret(key)));
    await store.close();
    const address = await server.database();
    const there = await moveKilled(before, address, address);
    const again = await moveKilled(address, back, address);
    const told = [there, again].map((points) => points.join(", "));
    console.log(`move-store, MEDIAFARM_SEED=${seed}: killed after ${told.join("; and back after ")}`);
    const [one, other] = [await rowsIn(before), await rowsIn(back)];
    for (const { name } of movedTables) {
      if (!changing.has(name)) expect({ name, rows: other[name] }).toEqual({ name, rows: one[name] });
    }
    // The old farm's audit tells each try, and goes on in the new one: that it moved, each try of the way back, that it moved.
    const lines = one.trail?.length ?? 0;
    expect(other.trail?.slice(0, lines)).toEqual(one.trail);
    const actions = await actionsIn(back);
    expect(actions.filter((action) => action === "beginMoveStore")).toHaveLength(2);
    const from = actions.indexOf("beginMoveStore");
    expect(actions.slice(from).join(" ")).toMatch(
      /^beginMoveStore( resumeMoveStore)* moveStore beginMoveStore( resumeMoveStore)* moveStore$/,
    );
    const moved = openSqlite(join(back, "coordinator"), new Secret(key));
    await checkSealingKey(moved, createVault("", new Secret(key)));
    await moved.close();
  }, 3_600_000);
});

const actionsIn = async (place: string): Promise<string[]> => {
  const store = openSqlite(join(place, "coordinator"), new Secret(key));
  const lines = await store.trail.after(0, 1000);
  await store.close();
  return lines.map(({ action }) => action);
};

/** Each try is a line of its own in the audit, and they count changes of records. */
const changing: ReadonlySet<string> = new Set(["trail", "trail_ends", "record_versions"]);

const rowsIn = async (place: string): Promise<Record<string, MovedRow[]>> => {
  const tables = sqliteTables(join(place, "coordinator", "farm.db"));
  const all: Record<string, MovedRow[]> = {};
  for (const table of movedTables) all[table.name] = await allRows(tables, table);
  await tables.close();
  return all;
};

const allRows = async (tables: ReturnType<typeof sqliteTables>, table: MovedTable): Promise<MovedRow[]> => {
  const rows: MovedRow[] = [];
  for await (const some of tables.read(table, await tables.columns(table))) rows.push(...some);
  return rows;
};
