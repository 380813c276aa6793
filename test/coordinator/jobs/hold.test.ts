import { describe, expect, test } from "vitest";
import { pauseJob, resumeJob } from "../../../coordinator/jobs/pause.ts";
import { stopJob } from "../../../coordinator/jobs/stop.ts";
import { updateJob } from "../../../coordinator/jobs/update.ts";
import { aCopy, aFailure, aJob, aReport, aSmallJob, aSource } from "../../helpers/farm/farm.ts";
import { useFarm, withRetry } from "../../helpers/farm/farm-story.ts";
import { stored } from "../../helpers/farm/stored.ts";

const { world, farm, submit, report, advance, restart } = useFarm();

const state = (jobId: number) => {
  const job = world().job(jobId);
  return job && `${job.status} ${job.substatus}`;
};
const later = (seconds: number) => new Date(world().clock.now() + seconds * 1000).toISOString();

describe("a job that is paused", () => {
  test("starts no more tasks, ends those that run, and goes on when it is resumed", async () => {
    const node = await world().node();
    const jobId = await submit();
    const probe = await node.assigned();
    await pauseJob(farm(), jobId);
    expect(state(jobId)).toBe("active paused");
    await report(node, aReport(probe));
    expect([await node.take(), farm().ready.size()]).toMatchObject([[{ type: "stored" }].slice(1), 0]);
    await resumeJob(farm(), jobId);
    await report(node, aReport(await node.assigned()));
    expect(farm().pausedJobs.size).toBe(0);
  });

  test("stays so over a restart of the coordinator", async () => {
    const jobId = await submit(aSmallJob());
    await pauseJob(farm(), jobId);
    await restart();
    const node = await world().node();
    expect([await node.take(), state(jobId)]).toEqual([[], "queued paused"]);
    await resumeJob(farm(), jobId);
    await node.assigned();
  });

  test("has no retry before it is resumed", async () => {
    const node = await world().node();
    const jobId = await submit(withRetry(1, 1));
    await report(node, aFailure(await node.assigned()));
    await pauseJob(farm(), jobId);
    await advance(2_000);
    expect([await node.take(), state(jobId)]).toEqual([[], "active paused"]);
    await resumeJob(farm(), jobId);
    await node.assigned();
  });

  test("at the moment its task is handed out keeps it", async () => {
    const node = await world().node();
    const jobId = await submit(aSmallJob());
    await pauseJob(farm(), jobId);
    const handed = (await node.take()).length;
    expect(farm().registry.runningOn(node.id)).toHaveLength(handed);
    await resumeJob(farm(), jobId);
    expect((await node.take()).length + handed).toBe(1);
  });

  test("can be stopped, and is not paused any more then", async () => {
    const jobId = await submit();
    await pauseJob(farm(), jobId);
    await stopJob(farm(), jobId);
    expect([state(jobId), farm().pausedJobs.size]).toEqual(["failed stopped", 0]);
    await resumeJob(farm(), jobId);
    expect(state(jobId)).toBe("failed stopped");
  });

  test("from its submission waits to be resumed", async () => {
    const node = await world().node();
    const jobId = await submit(aSmallJob({ paused: true }));
    expect([await node.take(), state(jobId)]).toEqual([[], "queued paused"]);
    await resumeJob(farm(), jobId);
    await node.assigned();
  });

  test("that has ended already stays as it is, one that is not there is refused", async () => {
    const node = await world().node();
    const jobId = await submit(aSmallJob());
    await report(node, aReport(await node.assigned()));
    await pauseJob(farm(), jobId);
    expect(state(jobId)).toBe("completed null");
    await expect(pauseJob(farm(), 99)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(resumeJob(farm(), 99)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("a job that is to start later", () => {
  test("waits for its time and starts by itself", async () => {
    const node = await world().node();
    const jobId = await submit(aSmallJob({ start_after: later(20) }));
    await advance(19_999);
    expect([await node.take(), state(jobId)]).toEqual([[], "queued scheduled"]);
    await advance(1);
    await node.assigned();
    expect(state(jobId)).toBe("active running");
  });

  test("starts at once when its time has passed already, is taken away, or it is resumed", async () => {
    const node = await world().node({ slots: 9 });
    await submit(aSmallJob({ start_after: later(-1) }));
    await node.assigned();
    const [second, third] = [
      await submit(aSmallJob({ start_after: later(999) })),
      await submit(aSmallJob({ start_after: later(999) })),
    ];
    await updateJob(farm(), second, { start_after: null });
    await node.assigned();
    await report(node, aReport({ ...(await current(node.id)) }));
    await resumeJob(farm(), third);
    await node.assigned();
  });

  test("can be told so while it runs", async () => {
    const node = await world().node();
    const jobId = await submit();
    const probe = await node.assigned();
    await updateJob(farm(), jobId, { start_after: world().clock.now() + 60_000 });
    await report(node, aReport(probe));
    expect([await node.take(), state(jobId)]).toEqual([[], "active scheduled"]);
  });

  test("is paused after its time too, until it is resumed", async () => {
    const jobId = await submit(aSmallJob({ start_after: later(5) }));
    await pauseJob(farm(), jobId);
    await advance(6_000);
    expect(state(jobId)).toBe("queued paused");
  });
});

/** What a node holds first, as it would report it. */
const current = async (nodeId: number) => {
  const [held] = farm().registry.runningOn(nodeId);
  if (!held) throw new Error("nothing runs");
  const work = stored(farm()).work(held.taskId) ?? { assets: {}, outputs: {}, steps: [] };
  return { fence: held.fence, taskId: held.taskId, name: "", work, previousIntent: null };
};

describe("new tags of a job that waits", () => {
  test("decide where its tasks run from then on, and keep their elements' own", async () => {
    const elements = [aSource({ task: { tags: ["own"] } }), aCopy()];
    const jobId = await submit(aJob({ task_tags: ["old"], payload: { elements } }));
    const tags = () =>
      stored(farm())
        .tasks(jobId)
        .map((task) => task.tags);
    expect(tags()).toEqual([["old", "own"], ["old"]]);
    await updateJob(farm(), jobId, { task_tags: ["new"] });
    expect(tags()[0]).toEqual(["new", "own"]);
    expect([...farm().ready.sets()].map(({ needs }) => needs.tags)).toContainEqual(["new", "own"]);
    const node = await world().node({ tags: ["new", "own"] });
    expect(await node.take()).not.toEqual([]);
  });

  test("hold for tasks that come later", async () => {
    const node = await world().node();
    const jobId = await submit();
    await updateJob(farm(), jobId, { task_tags: ["late"] });
    await report(node, aReport(await node.assigned()));
    expect(
      stored(farm())
        .tasks(jobId)
        .map(({ tags }) => tags),
    ).toEqual([[], ["late"]]);
  });
});
