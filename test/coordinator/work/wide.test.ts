import { describe, expect, test } from "vitest";
import { openDb } from "../../../coordinator/db/open.ts";
import { startsAtOnce } from "../../../coordinator/work/advance.ts";
import { deleteJobs } from "../../../coordinator/work/stop.ts";
import { submitJob } from "../../../coordinator/work/submit.ts";
import { turns } from "../../helpers/clock.ts";
import { aJob, aSmallJob, aSource } from "../../helpers/farm.ts";
import { useFarm } from "../../helpers/farm-story.ts";

const { world, folder, farm, restart } = useFarm();

/** The coordinator ends, and the next one finds the store as a crash at another moment leaves it. */
const restartAfter = (...changes: string[]) =>
  restart(async () => {
    const db = openDb(folder());
    for (const change of changes) db.writer.exec(change);
    await db.close();
  });

const wide = 2 * startsAtOnce + 5;
const aWideJob = () =>
  aJob({ payload: { elements: Array.from({ length: wide }, (_, nr) => aSource({ uid: `src-${nr}` })) } });

test("a wide job begins over several commits, in its order", async () => {
  const id = await submitJob(farm(), aWideJob());
  const begun: number[] = [];
  for (let turn = 0; turn < 20; turn += 1) {
    begun.push(world().tasks(id).length);
    await turns(1);
  }
  expect([...new Set(begun)]).toEqual([0, startsAtOnce, 2 * startsAtOnce, wide]);
  expect(world().tasks(id)).toEqual(Array.from({ length: wide }, (_, nr) => `src-${nr} facts ready`));
  expect(world().job(id)).toMatchObject({ status: "queued", substatus: "waiting" });
});

test("two of them, and what else is asked for meanwhile, take turns", async () => {
  const ids = await Promise.all([submitJob(farm(), aWideJob()), submitJob(farm(), aWideJob())]);
  await turns(20);
  expect(ids.map((id) => world().tasks(id).length)).toEqual([wide, wide]);
});

test("one that was half begun when the farm ended goes on with the next start", async () => {
  const id = await submitJob(farm(), aWideJob());
  await turns(20);
  // What was to follow the first commits never came.
  await restartAfter("DELETE FROM tasks WHERE element_uid = 'src-50'", "DELETE FROM element_runs WHERE uid = 'src-50'");
  await turns(20);
  expect(
    world()
      .tasks(id)
      .filter((task) => task.startsWith("src-50 ")),
  ).toEqual(["src-50 facts ready"]);
  expect(world().tasks(id)).toHaveLength(wide);
});

describe("a burst of submissions", () => {
  const burst = () => Promise.all(Array.from({ length: 20 }, () => submitJob(farm(), aSmallJob())));
  const begun = (ids: readonly number[]) => ids.filter((id) => world().tasks(id).length > 0).length;

  test("is accepted before any of it is begun, and begun in its order when it is over", async () => {
    const ids = await burst();
    await turns(20);
    expect(begun(ids)).toBe(0);
    await world().clock.advance(20);
    await turns(20);
    expect(begun(ids)).toBe(ids.length);
    const tasks = ids.map((id) => farm().stores.tasks.readOfJob(id)[0]?.id ?? 0);
    expect(tasks).toEqual([...tasks].sort((a, b) => a - b));
  });

  test("that does not end is begun a few jobs at a time", async () => {
    const ids = await burst();
    const found: number[] = [];
    for (let round = 0; round < 20; round += 1) {
      ids.push(...(await burst()));
      await world().clock.advance(19);
      found.push(begun(ids));
    }
    const steps = [...new Set(found)];
    expect(steps.slice(0, 4)).toEqual([0, startsAtOnce, 2 * startsAtOnce, 3 * startsAtOnce]);
    expect(steps.length).toBeLessThan(6);
    await world().clock.advance(40);
    await turns(60);
    expect(begun(ids)).toBe(ids.length);
  });

  test("is begun at once where nodes have nothing to do", async () => {
    const node = await world().node();
    await burst();
    await turns(2);
    expect((await node.take()).map(({ type }) => type)).toContain("assign");
  });

  test("that finds the disk full is begun when there is room", async () => {
    const ids = await burst();
    const { writer } = farm().db;
    const full = Number(writer.pragma("page_count", { simple: true }));
    writer.pragma(`max_page_count = ${full}`);
    await world().clock.advance(20);
    await turns(20);
    expect(begun(ids)).toBe(0);
    writer.pragma(`max_page_count = ${full + 1000}`);
    await world().clock.advance(1000);
    await turns(20);
    expect(begun(ids)).toBe(ids.length);
  });

  test("of which one job cannot be begun begins the others", async () => {
    const ids = await burst();
    const broken =
      "CREATE TRIGGER broken BEFORE INSERT ON tasks WHEN new.job_id = 7 BEGIN SELECT RAISE(ABORT, 'no'); END";
    farm().db.writer.exec(broken);
    await world().clock.advance(20);
    await turns(60);
    expect(ids.filter((id) => world().tasks(id).length === 0)).toEqual([7]);
  });

  test("that was accepted when the farm ended is begun by the next one", async () => {
    const ids = await burst();
    await world().clock.advance(20);
    await turns(20);
    await restartAfter("DELETE FROM tasks WHERE job_id > 5", "DELETE FROM element_runs WHERE job_id > 5");
    await turns(40);
    expect(begun(ids)).toBe(ids.length);
  });

  test("can be deleted before it is begun", async () => {
    const ids = await burst();
    expect(await deleteJobs(farm(), ids)).toEqual(ids);
    await turns(20);
    expect(ids.map((id) => world().job(id))).toEqual(ids.map(() => undefined));
  });
});

test("more jobs are deleted than one commit takes, and each is told of", async () => {
  const ids = await Promise.all(Array.from({ length: 120 }, () => submitJob(farm(), aSmallJob())));
  expect(await deleteJobs(farm(), [...ids, 99_999])).toEqual(ids);
  expect(world().events.filter((type) => type === "job.deleted")).toHaveLength(120);
});
