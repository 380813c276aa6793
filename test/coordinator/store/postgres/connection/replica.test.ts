import { expect, test } from "vitest";
import { readReplica } from "../../../../../coordinator/store/postgres/connection/address.ts";
import type { Database } from "../../../../../coordinator/store/postgres/connection/database.ts";
import { readsOn } from "../../../../../coordinator/store/postgres/connection/replica.ts";
import { sleep } from "../../../../../shared/basics/clock.ts";
import { createTestClock, turns } from "../../../../helpers/clock.ts";

type Fake = {
  cluster: string;
  place: number;
  isReplica: boolean;
  problem: unknown;
  /** What it reads comes from its disk after so long. */
  disk: () => Promise<void>;
};

const disk = async (): Promise<void> => undefined;

/** A database that knows who it is and how far it has come, and otherwise answers with its name. */
const aDatabase = (name: string, more: Partial<Fake> = {}) => {
  const state: Fake = { cluster: "a", place: 5, isReplica: name === "replica", problem: undefined, disk, ...more };
  const ask = async (sql: string, ...params: readonly unknown[]): Promise<unknown[]> => {
    const { cluster, isReplica: is_replica, place } = state;
    if (sql.includes("pg_current_wal_lsn")) return [{ at: String(place), cluster }];
    if (sql.includes("pg_last_wal_replay_lsn"))
      return [{ cluster, is_replica, is_there: is_replica ? place >= Number(params[0]) : null }];
    await state.disk();
    if (state.problem) throw state.problem;
    return [{ from: name }];
  };
  const database: Database = {
    ask: ask as Database["ask"], // rows of what is asked
    transaction: (_, work) => work(ask as Database["ask"]),
    close: async () => undefined,
  };
  return { state, database };
};

const aPair = (replica: Partial<Fake> = {}) => {
  const [first, second] = [aDatabase("primary"), aDatabase("replica", replica)];
  const clock = createTestClock();
  const reads = readsOn({ primary: first.database, replica: second.database, clock });
  const from = async () => (await reads.ask<{ from: string }>("SELECT from"))[0]?.from;
  /** Time passes until there is an answer. */
  const later = async (ask: () => Promise<string | undefined> = from): Promise<string | undefined> => {
    let [found, isThere]: [string | undefined, boolean] = [undefined, false];
    const asked = ask().then((each) => {
      [found, isThere] = [each, true];
    });
    for (let turn = 0; turn < 500 && !isThere; turn += 1) await clock.advance(20);
    await asked;
    return found;
  };
  return { clock, reads, from, later, primary: first.state, replica: second.state };
};

test("a replica that has all that was written is read, alone and in transactions", async () => {
  const { from, reads } = aPair();
  expect(await from()).toBe("replica");
  expect(await reads.transaction("read", (ask) => ask("SELECT from"))).toEqual([{ from: "replica" }]);
});

test("a replica that is a moment behind is waited for", async () => {
  const { clock, later, primary, replica } = aPair();
  primary.place = 6;
  clock.after(100, () => Object.assign(replica, { place: 6 }));
  expect(await later()).toBe("replica");
});

test("one that stays behind is left alone for five seconds, and the primary is read", async () => {
  const { clock, from, later, primary, replica } = aPair();
  primary.place = 6;
  expect(await later()).toBe("primary");
  replica.place = 6;
  expect(await from()).toBe("primary");
  await clock.advance(5000);
  expect(await from()).toBe("replica");
});

test.each([
  ["another cluster", { cluster: "b" }],
  ["one that was promoted", { isReplica: false }],
])("%s is never read", async (_, state) => {
  const { later } = aPair(state);
  expect(await later()).toBe("primary");
});

test.each([
  ["another server answers at its address", { cluster: "b", place: 99 }],
  ["it is promoted", { isReplica: false, place: 99 }],
])("where %s in between, it is not read any more", async (_, state) => {
  const { from, replica } = aPair();
  expect(await from()).toBe("replica");
  Object.assign(replica, state);
  expect(await from()).toBe("primary");
});

test("what a replica cannot answer, the primary is asked; what it refuses is refused", async () => {
  const broken = aPair({ problem: new Error("Connection terminated") });
  expect(await broken.from()).toBe("primary");
  const ended = aPair({ problem: Object.assign(new Error("conflict"), { code: "40001", severity: "ERROR" }) });
  expect(await ended.from()).toBe("primary");
  const wrong = aPair({ problem: Object.assign(new Error("syntax"), { code: "42601", severity: "ERROR" }) });
  await expect(wrong.from()).rejects.toThrow("syntax");
});

test("a replica whose disk stands still costs five seconds, then and again: what it does not read, the primary is asked", async () => {
  const { clock, from, later, replica } = aPair();
  replica.disk = () => new Promise(() => undefined);
  const rests: number[] = [];
  for (let nr = 0; nr < 6; nr += 1) {
    const begun = clock.monotonic();
    expect(await later()).toBe("primary");
    expect(clock.monotonic() - begun).toBeLessThanOrEqual(5100);
    // Until the replica is tried again, the primary answers at once.
    let rest = 0;
    for (; rest < 70 && (await Promise.race([from(), turns(20)])) === "primary"; rest += 1) await clock.advance(1000);
    rests.push(rest);
    await clock.advance(5100); // that try is over as well
  }
  expect(rests.map((each) => Math.round(each / 5) * 5)).toEqual([5, 10, 20, 40, 60, 60]);
  replica.disk = disk;
  await clock.advance(60_000);
  expect(await from()).toBe("replica");
  replica.disk = () => new Promise(() => undefined);
  expect(await later()).toBe("primary");
  replica.disk = disk;
  await clock.advance(5100);
  expect(await from()).toBe("replica");
});

test("one that is slow after all is read, where it is sooner than the primary, and so is the primary where it breaks", async () => {
  const slow = aPair();
  slow.primary.disk = () => new Promise(() => undefined);
  slow.replica.disk = () => sleep(slow.clock, 6000);
  expect(await slow.later()).toBe("replica");
  const broken = aPair({ problem: new Error("Connection terminated") });
  broken.primary.disk = () => sleep(broken.clock, 2000);
  broken.replica.disk = () => sleep(broken.clock, 6000);
  expect(await broken.later()).toBe("primary");
});

test("many answers of one transaction may take long together", async () => {
  const { clock, later, reads, replica } = aPair();
  replica.disk = () => sleep(clock, 3000);
  const found = await later(() =>
    reads.transaction("read", async (ask) => {
      const rows = [];
      for (let nr = 0; nr < 3; nr += 1) rows.push(...(await ask<{ from: string }>("SELECT from")));
      return rows.map((row) => row.from).join();
    }),
  );
  expect(found).toBe("replica,replica,replica");
});

test("an address names a replica by its host and port; user, database and the checks of certificates are the same", () => {
  expect(readReplica("postgres://farm@db.lan/farm")).toBeUndefined();
  const found = readReplica("postgres://farm@db.lan:5000/farm?replica=two.lan:5433");
  expect(found).toMatchObject({ host: "two.lan", port: 5433, user: "farm", database: "farm" });
  expect(found?.ssl).toMatchObject({ rejectUnauthorized: true, servername: "two.lan" });
  expect(() => readReplica("postgres://farm@db.lan/farm?replica=a/b")).toThrow("replica is HOST or HOST:PORT");
});
