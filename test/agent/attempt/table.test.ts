import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openOutbox } from "../../../agent/attempt/outbox.ts";
import { createRecords } from "../../../agent/attempt/records.ts";
import { createAttemptTable } from "../../../agent/attempt/table.ts";
import { silentLog } from "../../../agent/log.ts";
import { aFolder, anAssignment, storageViewsOf } from "../../helpers/agent/agent-fixture.ts";
import { refuseRemovals } from "../../helpers/agent/refuse-removals.ts";
import { createTestClock } from "../../helpers/clock.ts";

let folder: Awaited<ReturnType<typeof aFolder>>;
beforeEach(async () => {
  folder = await aFolder();
  for (const name of ["attempts", "outbox", "root"]) await mkdir(join(folder.path, name));
});
afterEach(() => folder.remove());

const left = async (): Promise<string[]> =>
  (await Promise.all(["attempts", "outbox"].map((name) => readdir(join(folder.path, name))))).flat();

const aTable = async () => {
  const clock = createTestClock();
  const root = join(folder.path, "root");
  const outbox = await openOutbox({ folder: join(folder.path, "outbox"), log: silentLog, clock });
  const records = createRecords({
    ...{ folder: join(folder.path, "attempts"), farmId: "farm", viewOf: storageViewsOf(root) },
  });
  const table = createAttemptTable({ records, outbox, log: silentLog, send: () => undefined, clock });
  const assignment = anAssignment({ root });
  const { fence, taskId } = assignment;
  table.open(assignment, "reported");
  await records.begin(assignment, { mounts: [], temps: [] });
  await outbox.put({
    ...{ fence, taskId, stats: { wallMs: 1 }, log: "" },
    outcome: { outcome: "failed", failure: { cause: "media", message: "broken" } },
  });
  return { clock, table, outbox, records, fence };
};

test("what a disk does not let an agent remove is removed once it does", async () => {
  const { clock, table, outbox, fence } = await aTable();
  expect(await left()).toEqual(["1.1", "1.1.json"]);
  const restore = refuseRemovals();
  await table.forget(fence);
  await clock.advance(60_000);
  expect(await left()).toEqual(["1.1", "1.1.json"]);
  expect([table.all(), outbox.waiting()]).toEqual([[], []]);
  restore();
  await clock.advance(60_000);
  await expect.poll(left).toEqual([]);
});

test("a record is known until its folder is removed", async () => {
  const { clock, table, outbox, records, fence } = await aTable();
  await outbox.remove(fence);
  await records.removeTemps(fence);
  const restore = refuseRemovals();
  await table.sweep(fence);
  restore();
  expect(await left()).toEqual(["1.1"]);
  await clock.advance(60_000);
  await expect.poll(left).toEqual([]);
});
