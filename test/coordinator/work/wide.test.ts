import { afterEach, beforeEach, expect, test } from "vitest";
import { openDb } from "../../../coordinator/db/open.ts";
import { startsAtOnce } from "../../../coordinator/work/advance.ts";
import { submitJob } from "../../../coordinator/work/submit.ts";
import { turns } from "../../helpers/clock.ts";
import { aFolder, aJob, aSource, openTestFarm, removeFolder, type TestFarm } from "../../helpers/farm.ts";

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
  expect([...new Set(begun)]).toEqual([startsAtOnce, 2 * startsAtOnce, wide]);
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
  db.writer.exec("DELETE FROM tasks WHERE element_uid = 'src-80'");
  db.writer.exec("UPDATE element_runs SET state = 'waiting', rounds = 0 WHERE uid = 'src-80'");
  await db.close();
  world = await openTestFarm(folder);
  await turns(20);
  expect(world.tasks(id).filter((task) => task.startsWith("src-80 "))).toEqual(["src-80 facts ready"]);
  expect(world.tasks(id)).toHaveLength(wide);
});
