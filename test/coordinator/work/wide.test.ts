import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openDb } from "../../../coordinator/db/open.ts";
import { startsAtOnce } from "../../../coordinator/work/advance.ts";
import { deleteJobs } from "../../../coordinator/work/stop.ts";
import { submitJob } from "../../../coordinator/work/submit.ts";
import { turns } from "../../helpers/clock.ts";
import { aFolder, aJob, aSmallJob, aSource, openTestFarm, removeFolder, type TestFarm } from "../../helpers/farm.ts";

let folder: string;
let world: TestFarm;

beforeEach(async () => {
  folder = aFolder();
  world = await openTestFarm(folder);
});

afterEach(async () => {
  await world.close();
  removeFolder(folder);
});

const wide = 2 * startsAtOnce + 5;
const aWideJob = () =>
  aJob({ payload: { elements: Array.from({ length: wide }, (_, nr) => aSource({ uid: `src-${nr}` })) } });

test("a wide job begins over several commits, in its order", async () => {
  const id = await submitJob(world.farm, aWideJob());
  const begun: number[] = [];
  for (let turn = 0; turn < 20; turn += 1) {
    begun.push(world.tasks(id).length);
    await turns(1);
  }
  expect([...new Set(begun)]).toEqual([0, startsAtOnce, 2 * startsAtOnce, wide]);
  expect(world.tasks(id)).toEqual(Array.from({ length: wide }, (_, nr) => `src-${nr} facts ready`));
  expect(world.job(id)).toMatchObject({ status: "queued", substatus: "waiting" });
});

test("two of them, and what else is asked for meanwhile, take turns", async () => {
  const ids = await Promise.all([submitJob(world.farm, aWideJob()), submitJob(world.farm, aWideJob())]);
  await turns(20);
  expect(ids.map((id) => world.tasks(id).length)).toEqual([wide, wide]);
});

test("one that was half begun when the farm ended goes on with the next start", async () => {
  const id = await submitJob(world.farm, aWideJob());
  await turns(20);
  await world.close();
  // As a crash leaves it: what was to follow the first commits never came.
  const db = openDb(folder);
  db.writer.exec("DELETE FROM tasks WHERE element_uid = 'src-50'");
  db.writer.exec("UPDATE element_runs SET state = 'waiting', rounds = 0 WHERE uid = 'src-50'");
  await db.close();
  world = await openTestFarm(folder);
  await turns(20);
  expect(world.tasks(id).filter((task) => task.startsWith("src-50 "))).toEqual(["src-50 facts ready"]);
  expect(world.tasks(id)).toHaveLength(wide);
});

describe("a burst of submissions", () => {
  const burst = () => Promise.all(Array.from({ length: 20 }, () => submitJob(world.farm, aSmallJob())));
  const begun = (ids: readonly number[]) => ids.filter((id) => world.tasks(id).length > 0).length;

  test("is accepted before all of it is begun, and then begun in its order", async () => {
    const ids = await burst();
    const first = begun(ids);
    expect([first > 0, first < ids.length]).toEqual([true, true]);
    await turns(20);
    expect(begun(ids)).toBe(ids.length);
    const tasks = ids.map((id) => world.farm.stores.tasks.readOfJob(id)[0]?.id ?? 0);
    expect(tasks).toEqual([...tasks].sort((a, b) => a - b));
  });

  test("that was accepted when the farm ended is begun by the next one", async () => {
    const ids = await burst();
    await turns(20);
    await world.close();
    // As a crash right after the answers leaves it.
    const db = openDb(folder);
    db.writer.exec("DELETE FROM tasks WHERE job_id > 5");
    db.writer.exec("UPDATE element_runs SET state = 'waiting', rounds = 0 WHERE job_id > 5");
    await db.close();
    world = await openTestFarm(folder);
    await turns(40);
    expect(begun(ids)).toBe(ids.length);
  });

  test("can be deleted before it is begun", async () => {
    const ids = await burst();
    expect(await deleteJobs(world.farm, ids)).toEqual(ids);
    await turns(20);
    expect(ids.map((id) => world.job(id))).toEqual(ids.map(() => undefined));
  });
});

test("more jobs are deleted than one commit takes, and each is told of", async () => {
  const ids = await Promise.all(Array.from({ length: 120 }, () => submitJob(world.farm, aSmallJob())));
  expect(await deleteJobs(world.farm, [...ids, 99_999])).toEqual(ids);
  expect(world.events.filter((type) => type === "job.deleted")).toHaveLength(120);
});
