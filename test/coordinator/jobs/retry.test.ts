import { describe, expect, test } from "vitest";
import { grantCommit } from "../../../coordinator/attempts/report.ts";
import { pauseJob } from "../../../coordinator/jobs/pause.ts";
import { retryJob } from "../../../coordinator/jobs/retry.ts";
import { deleteJob, stopJob } from "../../../coordinator/jobs/stop.ts";
import type { Assignment } from "../../../shared/protocol/messages.ts";
import { aFailure, aJob, anIntent, aReport, aSource, openTestFarm } from "../../helpers/farm/farm.ts";
import { useFarm } from "../../helpers/farm/farm-story.ts";
import { submitJob } from "../../helpers/farm/submit-job.ts";
import { aWorldPerTest } from "../../helpers/farm/worlds.ts";

const { world, farm, submit, report, toCopy, restart } = useFarm();
/** The node is granted its copy and publishes it. */
const publish = async (node: { id: number } & Parameters<typeof report>[0], copy: Assignment) => {
  await grantCommit(farm(), node.id, copy.fence, anIntent(copy));
  await report(node, aReport(copy));
};
const failed = { scope: "failed", taskIds: [], replan: undefined } as const;

describe("a job that failed", () => {
  test("goes on where it failed, and completes", async () => {
    const node = await world().node();
    const { jobId, copy } = await toCopy(node);
    await report(node, aFailure(copy, "storage"));
    expect(world().job(jobId)).toMatchObject({ status: "failed" });
    const { tasks } = await retryJob(farm(), jobId, failed);
    expect(tasks).toEqual([copy.taskId]);
    const again = await node.assigned();
    expect(again).toMatchObject({ taskId: copy.taskId });
    expect(again.fence.counter).toBeGreaterThan(copy.fence.counter);
    expect(world().job(jobId)).toMatchObject({ status: "active", substatus: "running", error: null });
    await publish(node, again);
    expect(world().job(jobId)).toEqual({ status: "completed", substatus: null, progress: 100, error: null });
  });

  test("keeps the attempts that it had", async () => {
    const node = await world().node();
    const { jobId, copy } = await toCopy(node);
    await report(node, aFailure(copy, "storage"));
    await retryJob(farm(), jobId, failed);
    await publish(node, await node.assigned());
    const logs = await farm().store.jobs.logs(copy.taskId);
    expect(logs.map(({ state }) => state)).toEqual(["failed", "published"]);
  });

  test("for its source is looked at anew", async () => {
    const node = await world().node();
    const jobId = await submit();
    await report(node, aFailure(await node.assigned(), "media"));
    await retryJob(farm(), jobId, { ...failed, replan: true });
    const probe = await node.assigned();
    expect(probe.work.steps).toMatchObject([{ do: "probe" }]);
    await report(node, aReport(probe));
    await publish(node, await node.assigned());
    expect(world().job(jobId)).toMatchObject({ status: "completed" });
  });

  test("is retried over a restart of the coordinator", async () => {
    const node = await world().node();
    const { jobId, copy } = await toCopy(node);
    await report(node, aFailure(copy, "storage"));
    await retryJob(farm(), jobId, failed);
    await restart();
    expect(world().job(jobId)).toMatchObject({ status: "active" });
  });
});

test("a stopped job goes on from where it was stopped", async () => {
  const node = await world().node();
  const { jobId, copy } = await toCopy(node);
  await stopJob(farm(), jobId);
  await node.take();
  await retryJob(farm(), jobId, failed);
  const again = await node.assigned();
  expect(again.taskId).toBe(copy.taskId);
  await publish(node, again);
  expect(world().job(jobId)).toMatchObject({ status: "completed" });
});

test("a job that was stopped while it was paused stays paused when it is retried, and the answer says so", async () => {
  const node = await world().node();
  const { jobId } = await toCopy(node);
  await pauseJob(farm(), jobId);
  await stopJob(farm(), jobId);
  await node.take();
  const { held } = await retryJob(farm(), jobId, failed);
  expect([held, world().job(jobId)?.substatus, await node.take()]).toEqual(["paused", "paused", []]);
});

test("a whole job is run again, also one that completed", async () => {
  const node = await world().node();
  const { jobId, copy } = await toCopy(node);
  await publish(node, copy);
  expect(world().job(jobId)).toMatchObject({ status: "completed" });
  await retryJob(farm(), jobId, { ...failed, scope: "all" });
  await report(node, aReport(await node.assigned()));
  await publish(node, await node.assigned());
  expect(world().job(jobId)).toMatchObject({ status: "completed" });
});

test("a large job that is run again begins in decisions of its own, and all of it", async () => {
  const sources = Array.from({ length: 100 }, (_, nr) => aSource({ uid: `e${nr}` }));
  const jobId = await submit({ name: "wide", payload: { elements: sources } });
  const tasks = () => farm().values.peekJob(jobId)?.tasks.size;
  await expect.poll(tasks, { timeout: 10_000 }).toBe(100);
  await stopJob(farm(), jobId);
  await retryJob(farm(), jobId, { ...failed, scope: "all" });
  expect([tasks(), world().job(jobId)?.status]).toEqual([0, "active"]);
  await expect.poll(tasks, { timeout: 10_000 }).toBe(100);
});

describe("a retry is refused", () => {
  test("where nothing failed", async () => {
    const jobId = await submit();
    await expect(retryJob(farm(), jobId, failed)).rejects.toThrow(`Job ${jobId} has no failed task`);
  });

  test("for a task that did not fail, naming it", async () => {
    const node = await world().node();
    const { jobId, copy } = await toCopy(node);
    await expect(retryJob(farm(), jobId, { ...failed, taskIds: [copy.taskId] })).rejects.toThrow(
      `Task ${copy.taskId} is running: only failed tasks can be retried`,
    );
    await expect(retryJob(farm(), jobId, { ...failed, taskIds: [999] })).rejects.toThrow("The job has no task 999");
    await expect(retryJob(farm(), 777, failed)).rejects.toThrow("There is no job 777");
  });
});

describe("in a farm that has enough to do", () => {
  const full = aWorldPerTest({
    open: (folder) => openTestFarm(folder, { config: { enoughReady: 1 } }),
    close: (world) => world.close(),
  });

  test("a job that was stopped before it began waits for its turn again, and gets it", async () => {
    const { farm: busy, job, node } = full();
    const first = await submitJob(busy, aJob());
    const second = await submitJob(busy, aJob());
    await busy.settle();
    const begunOf = async () => (await busy.store.load.row("jobs", second))?.begun;
    expect(await begunOf()).toBe(0);
    await stopJob(busy, second);
    expect(job(second)).toMatchObject({ status: "failed", substatus: "stopped" });
    await retryJob(busy, second, failed);
    expect([job(second)?.status, await begunOf()]).toEqual(["queued", 0]);
    await deleteJob(busy, first);
    const worker = await node();
    await worker.assigned();
    expect(job(second)).toMatchObject({ status: "active", substatus: "running" });
  });
});
