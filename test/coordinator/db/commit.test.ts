import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Committer, createCommitter } from "../../../coordinator/db/commit.ts";
import { aFolder, removeFolder } from "../../helpers/farm.ts";

let folder: string;
let db: Database.Database;
let other: Database.Database;
let committer: Committer;
/** Time passes only where a test says so. */
let now = 0;

beforeEach(() => {
  folder = aFolder();
  db = new Database(join(folder, "x.db"));
  db.pragma("journal_mode = WAL");
  db.exec("CREATE TABLE n (v INTEGER UNIQUE) STRICT");
  other = new Database(join(folder, "x.db"), { readonly: true });
  committer = createCommitter(db, () => undefined, { monotonic: () => now });
});

afterEach(async () => {
  await committer.settle();
  other.close();
  db.close();
  removeFolder(folder);
});

const add = (value: number) => db.prepare("INSERT INTO n VALUES (?)").run(value);
const seenByOthers = () =>
  other
    .prepare<[], { v: number }>("SELECT v FROM n ORDER BY v")
    .all()
    .map(({ v }) => v);

test("nobody is told before others can see what was done", async () => {
  const seen = await Promise.all([1, 2, 3].map((value) => committer.commit(() => add(value)).then(seenByOthers)));
  expect(seen).toEqual([
    [1, 2, 3],
    [1, 2, 3],
    [1, 2, 3],
  ]);
});

test("while a batch runs, others see none of it", async () => {
  await committer.commit(() => {
    add(1);
    expect(seenByOthers()).toEqual([]);
  });
  expect(seenByOthers()).toEqual([1]);
});

test("what is asked for in one turn of the loop is one transaction, in order", async () => {
  const order: string[] = [];
  const begun: boolean[] = [];
  await Promise.all(
    ["a", "b"].map((name) =>
      committer
        .commit(() => {
          begun.push(db.inTransaction);
          order.push(`do ${name}`);
        })
        .then(() => order.push(`tell ${name}`)),
    ),
  );
  expect(order).toEqual(["do a", "do b", "tell a", "tell b"]);
  expect(begun).toEqual([true, true]);
});

test("what takes long keeps the others for the next turns, in order and a transaction a turn", async () => {
  const seen: number[][] = [];
  const slow = (value: number, ms: number) =>
    committer
      .commit(() => {
        add(value);
        now += ms;
      })
      .then(() => seen.push(seenByOthers()));
  await Promise.all([slow(1, 6), slow(2, 6), slow(3, 50), slow(4, 1), slow(5, 1)]);
  expect(seen).toEqual([
    [1, 2],
    [1, 2],
    [1, 2, 3],
    [1, 2, 3, 4, 5],
    [1, 2, 3, 4, 5],
  ]);
  expect(committer.commits()).toBe(3);
});

test("what is asked for meanwhile stands behind what was left", async () => {
  const order: string[] = [];
  const one = (name: string, ms: number) =>
    committer.commit(() => {
      order.push(name);
      now += ms;
    });
  const first = [one("a", 20), one("b", 20), one("c", 20)];
  const second = first[0]?.then(() => one("d", 0));
  await Promise.all([...first, second]);
  expect(order).toEqual(["a", "b", "c", "d"]);
});

test("where a batch that took long cannot be committed, who was left for later is not refused with it", async () => {
  db.exec("CREATE TABLE p (id INTEGER PRIMARY KEY) STRICT");
  db.exec("CREATE TABLE c (id INTEGER REFERENCES p DEFERRABLE INITIALLY DEFERRED) STRICT");
  db.pragma("foreign_keys = ON");
  const broken = committer.commit(() => {
    now += 20;
    db.exec("INSERT INTO c VALUES (7)");
  });
  const results = await Promise.allSettled([broken, committer.commit(() => add(1))]);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  expect(seenByOthers()).toEqual([1]);
});

test("what throws takes no effect and leaves the others theirs", async () => {
  const results = await Promise.allSettled([
    committer.commit(() => add(1)),
    committer.commit(() => {
      add(2);
      throw new Error("no");
    }),
    committer.commit(() => add(1)),
    committer.commit(() => add(3)),
  ]);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"]);
  expect(results[1]).toMatchObject({ reason: { message: "no" } });
  expect(seenByOthers()).toEqual([1, 3]);
});

test("a commit gives what its function gave", async () => {
  expect(await committer.commit(() => ({ answer: 42 }))).toEqual({ answer: 42 });
});

test("a whole batch that cannot be committed is told to all of it", async () => {
  db.exec("CREATE TABLE p (id INTEGER PRIMARY KEY) STRICT");
  db.exec("CREATE TABLE c (id INTEGER REFERENCES p DEFERRABLE INITIALLY DEFERRED) STRICT");
  db.pragma("foreign_keys = ON");
  const results = await Promise.allSettled([
    committer.commit(() => add(1)),
    committer.commit(() => db.exec("INSERT INTO c VALUES (7)")),
  ]);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect([seenByOthers(), db.inTransaction]).toEqual([[], false]);
  await committer.commit(() => add(2));
  expect(seenByOthers()).toEqual([2]);
});

test("settling waits for all that was asked for, also by what came before", async () => {
  const first = committer.commit(() => add(1)).then(() => committer.commit(() => add(2)));
  await committer.settle();
  await first;
  expect(seenByOthers()).toEqual([1, 2]);
});

test("what nobody waits for goes along with the next commit, in the order of asking", async () => {
  const later = committer.commitLater(() => add(1)).then(seenByOthers);
  await new Promise((resolve) => setImmediate(resolve));
  expect(seenByOthers()).toEqual([]);
  await committer.commit(() => add(2));
  expect(await later).toEqual([1, 2]);
});

test("settling commits what would wait for the next commit", async () => {
  const later = committer.commitLater(() => add(1));
  await committer.settle();
  await later;
  expect(seenByOthers()).toEqual([1]);
});

describe("what can wait a little", () => {
  const turn = () => new Promise((resolve) => setImmediate(resolve));

  test("is committed in the next turn where nobody else wants to", async () => {
    const idle = committer.commitIdle(() => add(1)).then(seenByOthers);
    await turn();
    expect(await idle).toEqual([1]);
  });

  test("lets others go first, one after the other, and does not wait for ever", async () => {
    const order: number[] = [];
    const idle = [100, 101].map((value) => committer.commitIdle(() => add(value)).then(() => order.push(value)));
    for (let value = 0; value < 40; value += 1) await committer.commit(() => add(value)).then(() => order.push(value));
    await Promise.all(idle);
    expect(order.indexOf(100)).toBeGreaterThan(10);
    expect(order.indexOf(101)).toBeGreaterThan(order.indexOf(100) + 10);
    expect(order.indexOf(101)).toBeLessThan(40);
  });

  test("is settled too", async () => {
    const idle = [1, 2].map((value) => committer.commitIdle(() => add(value)));
    await committer.settle();
    await Promise.all(idle);
    expect(seenByOthers()).toEqual([1, 2]);
  });
});

describe("what is asked for when all else of a transaction has run", () => {
  const addAfter = (value: number) =>
    new Promise<void>((resolve, reject) => {
      committer.beforeCommit(() => {
        committer.beforeCommit(() => undefined);
        committer.commit(() => void add(value)).then(resolve, reject);
      });
    });

  test("goes along with it", async () => {
    const added = addAfter(2);
    await Promise.all([committer.commit(() => add(1)), added]);
    expect(seenByOthers()).toEqual([1, 2]);
    expect(committer.commits()).toBe(1);
  });

  test("takes no effect by itself where it throws", async () => {
    const added = addAfter(1);
    const outcomes = await Promise.allSettled([committer.commit(() => add(1)), added]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    expect(seenByOthers()).toEqual([1]);
  });

  test("refuses the transaction where the asking itself fails, and later ones go on", async () => {
    committer.beforeCommit(() => {
      committer.beforeCommit(() => undefined);
      throw new Error("no");
    });
    await expect(committer.commit(() => add(1))).rejects.toThrow("no");
    await committer.commit(() => add(2));
    expect(seenByOthers()).toEqual([2]);
  });
});
