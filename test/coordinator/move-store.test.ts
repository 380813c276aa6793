import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Move, moveStore } from "../../coordinator/move-store.ts";
import { checkSealingKey } from "../../coordinator/secrets/sealing-key.ts";
import { createVault } from "../../coordinator/secrets/vault.ts";
import { moveTables } from "../../coordinator/store/move/move.ts";
import { beginMove, noteCopied, openStill } from "../../coordinator/store/move/open.ts";
import { openSqlite } from "../../coordinator/store/sqlite/open.ts";
import { checkTrail } from "../../coordinator/trail/check.ts";
import { Secret } from "../../shared/basics/secret.ts";
import { createTestClock } from "../helpers/clock.ts";
import { aFolder, removeFolder } from "../helpers/farm/farm.ts";
import { fillAllTables } from "./store/move/all-rows.ts";

const bytes = Buffer.alloc(32, 7);
const key = new Secret(bytes.toString("base64"));
let root: string;
let [from, to] = ["", ""];

beforeEach(async () => {
  root = aFolder();
  [from, to] = [join(root, "old"), join(root, "new")];
  for (const each of [from, to]) mkdirSync(each);
  const store = openSqlite(from, key);
  await fillAllTables(store);
  await checkSealingKey(store, createVault("", key));
  await store.close();
});
afterEach(() => removeFolder(root));

const clock = createTestClock();
const aMove = (): Move => ({
  ...{ from, to, secretKey: key, password: undefined, clock },
  by: { user: "ann", at: 5 },
});
const nothing = () => undefined;
const breaking = () => {
  throw new Error("no");
};
const mover = { holder: "somebody", clock };
const bothOpen = async () => {
  const [one, other] = [await openStill({ at: from }, bytes, mover), await openStill({ at: to }, bytes, mover)];
  const close = async () => {
    await other.close();
    await one.close();
  };
  return { one, other, close };
};

/** What the audit of a store says of moves; its chain has to hold. */
const told = async (folder: string): Promise<string[]> => {
  const store = openSqlite(folder, key);
  const [lines, check] = [await store.trail.after(0, 1000), await checkTrail(store)];
  await store.close();
  expect(check.problem).toBe(null);
  return lines
    .filter(({ action }) => /MoveStore|moveStore/.test(action))
    .map((line) => `${line.action} ${line.outcome}`);
};

describe("the audit of a farm that moves", () => {
  test("tells that it was begun in both stores, and that it has moved in the new one", async () => {
    await moveStore(aMove(), nothing);
    expect(await told(from)).toEqual(["beginMoveStore done"]);
    expect(await told(to)).toEqual(["beginMoveStore done", "moveStore done"]);
  });

  test("tells each try, also of one that failed or was killed on its way", async () => {
    await expect(moveStore(aMove(), breaking)).rejects.toThrow("no");
    expect(await told(from)).toEqual(["beginMoveStore done", "moveStore INTERNAL"]);
    await moveStore(aMove(), nothing);
    const tries = ["beginMoveStore done", "moveStore INTERNAL", "resumeMoveStore done"];
    expect([await told(from), await told(to)]).toEqual([tries, [...tries, "moveStore done"]]);
  });

  test("tells the end once, wherever the move was killed after all was copied", async () => {
    const { one, other, close } = await bothOpen();
    await beginMove(one, other);
    await moveTables(one.tables, other.tables);
    await noteCopied(one, other);
    const line = { at: 5, who: "w", origin: "o", outcome: "done", about: "" };
    await other.store.trail.add([{ ...line, action: "moveStore" }], 1000);
    await close();
    await moveStore(aMove(), nothing);
    expect([await told(from), await told(to)]).toEqual([[], ["moveStore done"]]);
    await expect(moveStore(aMove(), nothing)).rejects.toThrow("The new store has a farm already");
  });
});

test("a farm that was used after it was copied is not taken for the same", async () => {
  const { one, other, close } = await bothOpen();
  await beginMove(one, other);
  await moveTables(one.tables, other.tables);
  await noteCopied(one, other);
  await close();
  const store = openSqlite(from, key);
  await store.lead(1);
  await store.close();
  await expect(moveStore(aMove(), nothing)).rejects.toThrow("The old store was used after it was copied");
});
