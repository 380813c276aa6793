import { describe, expect, test } from "vitest";
import { grantCommit } from "../../../coordinator/attempts/report.ts";
import { takeDisconnect, takeMessage } from "../../../coordinator/connections/messages.ts";
import { deleteJobs, stopJob } from "../../../coordinator/jobs/stop.ts";
import { updateJob } from "../../../coordinator/jobs/update.ts";
import { tasksByStatus } from "../../../coordinator/views/job-rows.ts";
import { aFailure, aJob, anIntent, aReport, aSmallJob, aSource } from "../../helpers/farm/farm.ts";
import { useFarm, withRetry } from "../../helpers/farm/farm-story.ts";
import { stored } from "../../helpers/farm/stored.ts";

const { world, farm, submit, report, advance, restart, toCopy } = useFarm();

describe("stopping", () => {
  test("ends a job on its node: failed and stopped", async () => {
    const node = await world().node();
    const { jobId, copy } = await toCopy(node);
    await stopJob(farm(), jobId);
    expect(await node.take()).toMatchObject([{ type: "cancel", fence: copy.fence, why: "The job was stopped" }]);
    expect(world().job(jobId)).toEqual({ status: "failed", substatus: "stopped", progress: 33, error: "Stopped" });
    expect(await grantCommit(farm(), node.id, copy.fence, anIntent(copy))).toBe("stale");
    expect(await report(node, aReport(copy))).toBe("ok");
    expect(world().job(jobId)).toMatchObject({ status: "failed", substatus: "stopped" });
  });

  test("a job at the moment its task is handed out does not hand it out", async () => {
    const node = await world().node();
    const jobId = await submit(aSmallJob());
    await stopJob(farm(), jobId);
    const types = (await node.take()).map(({ type }) => type);
    expect(types).not.toContain("assign");
    expect(farm().registry.runningOn(node.id)).toEqual([]);
  });

  test("a job that waits has it never start", async () => {
    const jobId = await submit();
    await stopJob(farm(), jobId);
    expect(world().job(jobId)).toEqual({ status: "failed", substatus: "stopped", progress: 0, error: "Stopped" });
    expect(stored(farm()).job(jobId)?.start_time).toBeNull();
    const node = await world().node();
    expect(await node.take()).toEqual([]);
    expect(farm().ready.size()).toBe(0);
  });

  test("a job that waits out a delay has no retry", async () => {
    const node = await world().node();
    const jobId = await submit(withRetry(3));
    await report(node, aFailure(await node.assigned()));
    await stopJob(farm(), jobId);
    await advance(120_000);
    expect(world().job(jobId)).toMatchObject({ status: "failed", substatus: "stopped" });
    expect(farm().delayed.size).toBe(0);
  });

  test("a job that has ended changes nothing", async () => {
    const node = await world().node();
    const jobId = await submit(aSmallJob());
    await report(node, aReport(await node.assigned()));
    await stopJob(farm(), jobId);
    await stopJob(farm(), jobId);
    expect(world().job(jobId)).toMatchObject({ status: "completed", substatus: null });
  });

  test("a job that is not there is refused", async () => {
    await expect(stopJob(farm(), 99)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("deleting", () => {
  test("ends what runs and leaves nothing", async () => {
    const node = await world().node();
    const { jobId, copy } = await toCopy(node);
    expect(await deleteJobs(farm(), [jobId, jobId, 99])).toEqual([jobId]);
    expect(await node.take()).toMatchObject([{ type: "cancel", fence: copy.fence, why: "The job was deleted" }]);
    expect(world().job(jobId)).toBeUndefined();
    expect(farm().registry.runningOn(node.id)).toEqual([]);
    expect(await report(node, aReport(copy))).toBe("stale");
    expect(world().events.filter((type) => type === "job.deleted")).toHaveLength(1);
  });

  test("happens by itself when a job expires, counted from its end", async () => {
    const node = await world().node();
    const jobId = await submit(aSmallJob({ expiration: 2 }));
    await world().clock.advance(600_000);
    await takeMessage(farm(), node.id, { type: "heartbeat" });
    await report(node, aReport(await node.assigned()));
    await advance(119_999);
    expect(world().job(jobId)).toBeDefined();
    await advance(1);
    expect(world().job(jobId)).toBeUndefined();
  });
});

describe("what nobody can run", () => {
  const tagged = aSmallJob({ task_tags: ["gpu"] });

  test("waits for a while and then fails by its name", async () => {
    await world().node();
    const jobId = await submit(tagged);
    await advance(59_999);
    expect(world().job(jobId)).toMatchObject({ status: "queued" });
    await advance(1);
    expect(world().job(jobId)).toMatchObject({
      status: "failed",
      error: 'src: No node of the farm provides tag "gpu"',
    });
  });

  test("waits anew after a restart: nodes come back, and may have what they lacked", async () => {
    const jobId = await submit(tagged);
    await advance(30_000);
    await restart();
    await advance(59_999);
    expect(world().job(jobId)).toMatchObject({ status: "queued" });
    await advance(1);
    expect(world().job(jobId)).toMatchObject({ status: "failed" });
  });

  test("runs on a node that comes in time", async () => {
    const jobId = await submit(tagged);
    await advance(30_000);
    await (await world().node({ tags: ["gpu"] })).assigned();
    expect(world().tasks(jobId)).toEqual(["src facts running"]);
  });

  test("waits without end where a node that could is only away or paused", async () => {
    const node = await world().node({ tags: ["gpu"] });
    takeDisconnect(farm(), node.id, node.connection);
    const jobId = await submit(tagged);
    await advance(3_600_000);
    expect(world().job(jobId)).toMatchObject({ status: "queued", substatus: "waiting" });
  });
});

describe("a new priority", () => {
  test("holds for tasks that wait already", async () => {
    const [low, high] = [await submit(aSmallJob()), await submit(aSmallJob())];
    await updateJob(farm(), high, { priority: 200 });
    const node = await world().node({ slots: 1 });
    const assigned = (await node.take()).flatMap((message) =>
      message.type === "assign" ? [message.assignment.taskId] : [],
    );
    expect(assigned).toEqual([high, low].map((id) => stored(farm()).tasks(id)[0]?.id));
  });

  test("does not overrule a task's own", async () => {
    const own = { task: { priority: 5 } };
    const jobId = await submit(aJob({ payload: { elements: [aSource(own)] } }));
    await updateJob(farm(), jobId, { priority: 200 });
    const [task] = stored(farm()).tasks(jobId);
    expect(farm().ready.get(task?.id ?? 0)?.priority).toBe(5);
  });
});

test("who stopped a job, and why, stands in its tasks; what ended by that counts as stopped and not as failed", async () => {
  const node = await world().node();
  const jobId = await submit(aSmallJob());
  await node.assigned();
  await stopJob(farm(), jobId, { by: "Olga", note: "wrong master" });
  const [message] = (await farm().store.jobs.tasks(jobId)).flatMap(({ failure }) => failure?.message ?? []);
  expect(message).toBe("The job was stopped by Olga: “wrong master”");
  const states = await farm().store.jobs.taskStatesOf([jobId]);
  expect(tasksByStatus(states)).toEqual({ queued: 0, running: 0, completed: 0, failed: 0, stopped: states[0]?.n });
  const page = { skip: 0, take: 10 };
  const [stopped, failed] = [
    await farm().store.jobs.tasks(jobId, { ...page, states: ["stopped"] }),
    await farm().store.jobs.tasks(jobId, { ...page, states: ["failed"] }),
  ];
  expect([stopped.length, failed.length]).toEqual([states[0]?.n, 0]);
});
