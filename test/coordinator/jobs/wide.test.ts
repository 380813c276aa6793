import { describe, expect, test, vi } from "vitest";
import { beginsAtOnce, beginsMeanwhile, startsAtOnce } from "../../../coordinator/jobs/begin.ts";
import { deleteJobs } from "../../../coordinator/jobs/stop.ts";
import { lightSlots } from "../../../coordinator/schedule/fit.ts";
import { turns } from "../../helpers/clock.ts";
import { aJob, aSmallJob, aSource, openTestFarm } from "../../helpers/farm/farm.ts";
import { useFarm } from "../../helpers/farm/farm-story.ts";
import { stored } from "../../helpers/farm/stored.ts";
import { submitJob } from "../../helpers/farm/submit-job.ts";
import { aWorldPerTest } from "../../helpers/farm/worlds.ts";

const { world, folder, farm, restart } = useFarm();

/** The coordinator ends, and the next one finds the store as a crash at another moment leaves it. */
const restartAfter = (...changes: string[]) =>
  restart(() => {
    for (const change of changes) stored({ config: { dataDir: folder() } }).exec(change);
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
  expect([...new Set(begun)]).toEqual([startsAtOnce, 2 * startsAtOnce, wide]);
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
  const last = `src-${wide - 1}`;
  await restartAfter(
    `DELETE FROM tasks WHERE element_uid = '${last}'`,
    `DELETE FROM element_runs WHERE uid = '${last}'`,
  );
  await turns(20);
  expect(
    world()
      .tasks(id)
      .filter((task) => task.startsWith(`${last} `)),
  ).toEqual([`${last} facts ready`]);
  expect(world().tasks(id)).toHaveLength(wide);
});

describe("many submissions at once", () => {
  const submitMany = (count = 40, more: (nr: number) => Record<string, unknown> = () => ({})) =>
    Promise.all(Array.from({ length: count }, (_, nr) => submitJob(farm(), aSmallJob(more(nr)))));
  const begun = (ids: readonly number[]) => ids.filter((id) => world().tasks(id).length > 0).length;
  /** In the order of their first tasks. */
  const order = (ids: readonly number[]): number[] => {
    const firsts = new Map(ids.map((id) => [id, stored(farm()).tasks(id)[0]?.id ?? 0]));
    return ids.toSorted((a, b) => (firsts.get(a) ?? 0) - (firsts.get(b) ?? 0));
  };

  test("are answered before most of them are begun, and begun in their order", async () => {
    const ids = await submitMany(80);
    expect(begun(ids)).toBeLessThan(ids.length);
    await turns(20);
    expect(begun(ids)).toBe(ids.length);
    expect(order(ids)).toEqual(ids);
  });

  test("have others begun beside them a few at a time, and more once all is quiet", async () => {
    const most = async (work: () => Promise<unknown>): Promise<number> => {
      const atOnce: number[] = [];
      const { store } = farm();
      const write = store.write.bind(store);
      const spy = vi.spyOn(store, "write").mockImplementation((batch) => {
        const begins = batch.changes.filter(
          ({ table, before, after }) => table === "jobs" && begunIn(before) === 0 && begunIn(after) === 1,
        );
        atOnce.push(begins.length);
        return write(batch);
      });
      await work();
      spy.mockRestore();
      return Math.max(...atOnce);
    };
    const begunIn = (row: unknown): number => (row as { readonly begun?: number } | undefined)?.begun ?? 0;
    const meanwhile = await most(() => submitMany(300));
    const later = await most(async () => {
      await world().clock.advance(100);
      await turns(20);
    });
    expect([meanwhile, later]).toEqual([beginsMeanwhile, beginsAtOnce]);
  });

  test("are begun by priority and age", async () => {
    const ids = await submitMany(60, (nr) => ({ priority: nr % 2 === 0 ? 50 : 150 }));
    await turns(20);
    const [low, high] = [ids.filter((_, nr) => nr % 2 === 0), ids.filter((_, nr) => nr % 2 === 1)];
    // What came in the first turn may have been begun before the others were there.
    const found = order(ids).slice(2 * beginsAtOnce);
    expect(found).toEqual([...high, ...low].filter((id) => found.includes(id)));
  });

  test("of which one job cannot be begun begin the others", async () => {
    stored(farm()).exec(
      "CREATE TRIGGER broken BEFORE INSERT ON tasks WHEN new.job_id = 7 BEGIN SELECT RAISE(ABORT, 'no'); END",
    );
    const ids = await submitMany();
    await turns(80);
    expect(ids.filter((id) => world().tasks(id).length === 0)).toEqual([7]);
    stored(farm()).exec("DROP TRIGGER broken");
    await world().clock.advance(1000);
    await expect.poll(() => begun(ids), { timeout: 10_000 }).toBe(ids.length); // it is looked up beside the loop
  });

  test("that were accepted when the farm ended are begun by the next one", async () => {
    const ids = await submitMany();
    await turns(20);
    await restartAfter(
      "DELETE FROM tasks WHERE job_id > 5",
      "DELETE FROM element_runs WHERE job_id > 5",
      "UPDATE jobs SET begun = 0 WHERE id > 5",
    );
    await turns(40);
    expect(begun(ids)).toBe(ids.length);
  });

  test("can be deleted before they are begun", async () => {
    const ids = await submitMany();
    expect(await deleteJobs(farm(), ids)).toEqual(ids);
    await turns(20);
    expect(ids.map((id) => world().job(id))).toEqual(ids.map(() => undefined));
  });
});

describe("with enough ready tasks", () => {
  const small = aWorldPerTest({
    open: (path) => openTestFarm(path, { config: { enoughReady: 5 } }),
    close: (world) => world.close(),
  });
  const submitTo = (more: Record<string, unknown> = {}) =>
    submitJob(small().farm, aSmallJob({ task_tags: ["gpu"], ...more }));
  const begunOf = (ids: readonly number[]) => ids.filter((id) => small().tasks(id).length > 0);

  test("jobs wait in the store while a node has slots for what the ready tasks will begin", async () => {
    const node = await small().node({ tags: ["gpu"], slots: 4 });
    const ids: number[] = [];
    for (let nr = 0; nr < 20; nr += 1) ids.push(await submitTo());
    await turns(20);
    const given = (await node.take()).filter(({ type }) => type === "assign");
    expect(given).toHaveLength(lightSlots);
    expect(begunOf(ids)).toEqual(ids.slice(0, lightSlots + 5));
  });

  test("jobs wait in the store alone", async () => {
    const ids: number[] = [];
    for (let nr = 0; nr < 12; nr += 1) ids.push(await submitTo());
    await turns(20);
    expect(begunOf(ids)).toEqual(ids.slice(0, 5));
    expect(small().job(ids[9] ?? 0)).toMatchObject({ status: "queued", substatus: "waiting" });
  });

  test("one that outranks a ready task begins at once", async () => {
    const ids: number[] = [];
    for (let nr = 0; nr < 8; nr += 1) ids.push(await submitTo());
    const urgent = await submitTo({ priority: 200 });
    await turns(20);
    expect(begunOf([...ids, urgent])).toEqual([...ids.slice(0, 5), urgent]);
  });

  test("one begins for a free slot that finds nothing", async () => {
    const ids: number[] = [];
    for (let nr = 0; nr < 6; nr += 1) ids.push(await submitTo());
    const other = await submitTo({ task_tags: ["cpu"] });
    await turns(20);
    expect(begunOf([other])).toEqual([]);
    const node = await small().node({ tags: ["cpu"] });
    expect(await node.assigned()).toMatchObject({ name: "a job - src" });
    expect(begunOf([other])).toEqual([other]);
  });

  test("more begin as soon as some were given out", async () => {
    const ids: number[] = [];
    for (let nr = 0; nr < 7; nr += 1) ids.push(await submitTo());
    const node = await small().node({ tags: ["gpu"], slots: 2 });
    expect(await node.take()).toHaveLength(2);
    await turns(20);
    expect(begunOf(ids)).toEqual(ids);
  });
});

test("more jobs are deleted than one commit takes, and each is told of", async () => {
  const ids = await Promise.all(Array.from({ length: 120 }, () => submitJob(farm(), aSmallJob())));
  expect(await deleteJobs(farm(), [...ids, 99_999])).toEqual(ids);
  expect(world().events.filter((type) => type === "job.deleted")).toHaveLength(120);
});
