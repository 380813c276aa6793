import { expect, test } from "vitest";
import { mostRetriedRuns, retryJob } from "../../../coordinator/jobs/retry.ts";
import { deleteJobs } from "../../../coordinator/jobs/stop.ts";
import { aConnection, aListing, aReport, aSource } from "../../helpers/farm/farm.ts";
import { useFarm } from "../../helpers/farm/farm-story.ts";
import { runDuties } from "../../helpers/farm/run-duties.ts";
import { stored } from "../../helpers/farm/stored.ts";

const { world, farm, submit, report, restart } = useFarm();

const aJobOfBatches = {
  name: "large",
  payload: {
    elements: [
      { uid: "all", kind: "folder_enum", payload: { source: { storage_provider: "file", path: "/media" } } },
      aSource({ uid: "first" }),
    ],
    connections: [aConnection("all", ["first"])],
  },
};

const numbers = (count: number) =>
  `WITH RECURSIVE nr(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM nr WHERE n < ${count})`;

/** A completed job of one batch. The coordinator is started again after the store was changed. */
const aJobThen = async (change: () => void): Promise<number> => {
  const node = await world().node();
  const id = await submit(aJobOfBatches);
  await report(node, aListing(await node.assigned(), ["file:///media/a.mov"]));
  await report(node, aReport(await node.assigned()));
  expect(world().job(id)?.status).toBe("completed");
  await restart(change);
  return id;
};

const claimBatches = (count: number): void =>
  stored(farm()).exec(`UPDATE element_runs SET batches = json_set(batches, '$.files', ${count}) WHERE uid = 'all'`);

/** Copies the batch with its task and its attempt. */
const copyBatch = (count: number): void => {
  const { exec } = stored(farm());
  claimBatches(count + 1);
  exec(`CREATE TEMP TABLE copied AS ${numbers(count)} SELECT tasks.*, n FROM tasks, nr WHERE path = '0';
    UPDATE copied SET id = id + n, path = n, attempt = attempt + n;
    ALTER TABLE copied DROP COLUMN n;
    INSERT INTO tasks SELECT * FROM copied`);
  exec(`${numbers(count)} INSERT INTO attempts
    SELECT counter + n, epoch, task_id + n, node_id, state, assigned, ended, failure, stats, log
    FROM attempts, nr WHERE counter = 2`);
  exec(`${numbers(count)} INSERT INTO element_runs
    SELECT job_id, uid, CAST(n AS TEXT), state, rounds, assets, failure, batches FROM element_runs, nr WHERE path = '0'`);
  exec(`UPDATE counters SET n = n + ${count}`);
};

const left = (): number[] =>
  ["tasks", "attempts", "element_runs", "listings", "deleted_jobs"].map(
    (table) => stored(farm()).all<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)[0]?.n ?? -1,
  );

test("a large job is gone at once, and its rows go a few at a time, also over a restart", async () => {
  const id = await aJobThen(() => copyBatch(999));
  const [task] = stored(farm()).tasks(id);
  expect(left()).toEqual([1001, 1001, 1001, 1, 0]);
  const before = farm().commits();
  expect(await deleteJobs(farm(), [id])).toEqual([id]);
  expect(farm().commits() - before).toBe(1);

  const { jobs } = farm().store;
  expect([await farm().store.load.row("jobs", id), await jobs.task(task?.id ?? 0), await jobs.report(id)]).toEqual(
    Array(3).fill(undefined),
  );
  expect([await jobs.states({ filters: [] }), await jobs.tasks(id, { skip: 0, take: 10 })]).toEqual([[], []]);
  expect(await deleteJobs(farm(), [id])).toEqual([]);
  expect(farm().values.peekJob(id)?.row).toBe(undefined);
  expect(left()).toEqual([1001, 1001, 1001, 1, 1]);

  for (let slices = 0; slices < 4; slices += 1) expect(await farm().store.maintain({ submissions: 0 })).toBe(true);
  expect(left()).toEqual([701, 701, 1001, 0, 1]);
  await restart();
  expect([world().job(id), left()[0]]).toEqual([undefined, 701]);
  await runDuties(farm());
  expect(left()).toEqual([0, 0, 0, 0, 0]);
});

test("a running job that is deleted holds no slot, and a restart does not find its attempts open", async () => {
  const node = await world().node();
  const id = await submit();
  const probe = await node.assigned();
  await deleteJobs(farm(), [id]);
  expect((await node.take()).map(({ type }) => type)).toEqual(["cancel"]);
  expect([stored(farm()).openAttempts(), farm().registry.runningOn(node.id)]).toEqual([[], []]);
  await restart();
  expect(farm().values.openAttempts()).toEqual([]);
  expect(await report(node, aReport(probe))).toBe("stale");
  await runDuties(farm());
  expect(left()).toEqual([0, 0, 0, 0, 0]);
  expect(await report(node, aReport(probe))).toBe("stale");
});

test("a job that is too large to be retried in one decision says so", async () => {
  const id = await aJobThen(() => claimBatches(mostRetriedRuns + 1));
  await expect(retryJob(farm(), id, { scope: "all", taskIds: [], replan: undefined })).rejects.toMatchObject({
    code: "CONFLICT",
    message: `Job ${id} has 10,001 runs of elements in batches, and only jobs of up to 10,000 can be retried: submit it again`,
  });
  await deleteJobs(farm(), [id]);
});
