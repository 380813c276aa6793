import { expect, test } from "vitest";
import { deleteJobs } from "../../../coordinator/jobs/stop.ts";
import { factsMs } from "../../../coordinator/planning/old-facts.ts";
import { aFolder, aReport, aSmallJob, openTestFarm, removeFolder } from "../../helpers/farm/farm.ts";
import { useFarm } from "../../helpers/farm/farm-story.ts";
import { runDuties } from "../../helpers/farm/run-duties.ts";
import { stored } from "../../helpers/farm/stored.ts";
import { times } from "../../helpers/long.ts";

const { world, farm, submit, report, advance } = useFarm();

/** A farm that tells of its batches. */
const watched = async () => {
  const folder = aFolder();
  const batches: number[] = [];
  const own = await openTestFarm(folder, {
    wrap: (store) => ({
      ...store,
      write: async (batch) => {
        batches.push(batch.changes.filter(({ table, after }) => table === "jobs" && !after).length);
        await store.write(batch);
      },
    }),
  });
  const close = async () => {
    await own.close();
    removeFolder(folder);
  };
  return { ...own, batches, close };
};

test("many jobs are deleted a few at a time, so that others are answered in between", async () => {
  const own = await watched();
  const { submitJob } = await import("../../helpers/farm/submit-job.ts");
  const ids = await Promise.all(Array.from({ length: 40 }, () => submitJob(own.farm, aSmallJob())));
  expect(await deleteJobs(own.farm, ids)).toEqual(ids);
  expect(Math.max(...own.batches)).toBeLessThanOrEqual(5);
  await own.close();
});

test("all jobs that have expired are deleted by one tick, as long as it has time", async () => {
  for (let nr = 0; nr < times(60, 250, 250); nr += 1) await submit(aSmallJob());
  stored(farm()).exec("UPDATE jobs SET expiration_time = 1");
  await runDuties(farm());
  expect(stored(farm()).jobIds()).toEqual([]);
});

test("facts are forgotten a quarter of a year after they were found, unless they were found anew", async () => {
  const look = async () => {
    const node = await world().node();
    await submit(aSmallJob());
    await report(node, aReport(await node.assigned()));
  };
  const known = () => stored(farm()).all("SELECT uri FROM facts");
  await look();
  await advance(factsMs - 1000);
  expect(known()).toHaveLength(1);
  await advance(1000);
  expect(known()).toEqual([]);
  await look();
  expect(known()).toHaveLength(1);
});

test("tasks that no node could ever run fail together", async () => {
  await world().node();
  const ids = await Promise.all(Array.from({ length: 20 }, () => submit(aSmallJob({ task_tags: ["nowhere"] }))));
  await advance(30_000);
  const before = farm().commits();
  await advance(60_000);
  expect(ids.map((id) => world().job(id)?.status)).toEqual(ids.map(() => "failed"));
  expect(farm().commits() - before).toBeLessThan(10);
});

test("what deleted jobs leave free goes back to the disk, a little with every tick", async () => {
  const padding = "x".repeat(100_000);
  const ids: number[] = [];
  for (let nr = 0; nr < 60; nr += 1) ids.push(await submit(aSmallJob({ user_data: padding })));
  await deleteJobs(farm(), ids);
  const pages = () => stored(farm()).all<{ page_count: number }>("PRAGMA page_count")[0]?.page_count ?? 0;
  const before = pages();
  for (let nr = 0; nr < 20; nr += 1) await runDuties(farm());
  expect([before > 1300, pages() < 1200]).toEqual([true, true]);
});

test("a job without an expiration of its own is kept as long as the farm says when it is sent", async () => {
  const minutesOf = (id: number) => stored(farm()).job(id)?.expiration;
  const before = await submit(aSmallJob());
  await farm().retention.set({ jobMinutes: 60 });
  const [after, own] = [await submit(aSmallJob()), await submit(aSmallJob({ expiration: 5 }))];
  expect([before, after, own].map(minutesOf)).toEqual([43_200, 60, 5]);
});
