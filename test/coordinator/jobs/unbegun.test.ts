import { describe, expect, test } from "vitest";
import { changeJobs } from "../../../coordinator/jobs/bulk.ts";
import { pauseJob, resumeJob } from "../../../coordinator/jobs/pause.ts";
import { retryJob } from "../../../coordinator/jobs/retry.ts";
import { stopJob } from "../../../coordinator/jobs/stop.ts";
import { updateJob } from "../../../coordinator/jobs/update.ts";
import { aJob, aSmallJob } from "../../helpers/farm/farm.ts";
import { useFarm } from "../../helpers/farm/farm-story.ts";
import { stored } from "../../helpers/farm/stored.ts";

const { world, farm, submit, advance, restart } = useFarm();

const later = (seconds: number) => new Date(world().clock.now() + seconds * 1000).toISOString();
const paused = () => submit(aSmallJob({ paused: true }));
/** Which of these jobs have begun, and how many tasks they have together. */
const begun = async (...ids: readonly number[]) => {
  await farm().settle();
  const rows = await Promise.all(ids.map((id) => farm().store.load.row("jobs", id)));
  return [rows.map((row) => row?.begun), ids.reduce((sum, id) => sum + stored(farm()).tasks(id).length, 0)];
};
const state = (jobId: number) => {
  const job = world().job(jobId);
  return job && `${job.status} ${job.substatus}`;
};
const act = (action: "pause" | "resume", ids: readonly number[]) =>
  changeJobs(farm(), { action, ids: ids.map(String) } as Parameters<typeof changeJobs>[1], {
    by: null,
    reached: new Set(ids),
    within: "all",
    look: () => undefined,
  });

describe("a job that is paused before it has begun", () => {
  test("does not begin, also after restarts, until it is resumed", async () => {
    const ids = [await paused(), await submit(aSmallJob({ start_after: later(999) })), await paused()] as const;
    expect(await begun(...ids)).toEqual([[0, 0, 0], 0]);
    await restart();
    await restart();
    expect([await begun(...ids), ids.map(state)]).toEqual([
      [[0, 0, 0], 0],
      ["queued paused", "queued scheduled", "queued paused"],
    ]);
    await resumeJob(farm(), ids[0]);
    expect(await begun(...ids)).toEqual([[1, 0, 0], 1]);
    const node = await world().node();
    expect((await node.assigned()).taskId).toBe(stored(farm()).tasks(ids[0])[0]?.id);
    await resumeJob(farm(), ids[2]);
    await updateJob(farm(), ids[1], { start_after: null });
    expect(await begun(...ids)).toEqual([[1, 1, 1], 3]);
  });

  test("lets those behind it begin", async () => {
    const first = await submit(aSmallJob({ paused: true, priority: 254 }));
    const second = await submit(aSmallJob());
    expect(await begun(first, second)).toEqual([[0, 1], 1]);
    await restart();
    const third = await submit(aSmallJob());
    expect(await begun(first, second, third)).toEqual([[0, 1, 1], 2]);
  });

  test("begins with many others that are resumed at once, and all of them do", async () => {
    const ids = await Promise.all(Array.from({ length: 60 }, paused));
    await restart();
    await act("resume", ids);
    const left = () => farm().store.due.toBegin(99);
    // While others come in, some begin in each turn.
    for (let turn = 0; turn < 10 && (await left()).length > 0; turn += 1) await advance(1000);
    expect([await left(), (await begun(...ids))[1]]).toEqual([[], 60]);
  });

  test("begins when its time comes, also after a restart", async () => {
    const jobId = await submit(aSmallJob({ start_after: later(20) }));
    await restart();
    await advance(19_000);
    expect(await begun(jobId)).toEqual([[0], 0]);
    await advance(2_000);
    expect(await begun(jobId)).toEqual([[1], 1]);
  });

  test("and is stopped, stays paused when it is retried, and begins once it is resumed", async () => {
    const jobId = await paused();
    await stopJob(farm(), jobId);
    expect(state(jobId)).toBe("failed stopped");
    await retryJob(farm(), jobId, { scope: "failed", taskIds: [], replan: undefined });
    expect([state(jobId), await begun(jobId)]).toEqual(["queued paused", [[0], 0]]);
    await restart();
    expect(await begun(jobId)).toEqual([[0], 0]);
    await resumeJob(farm(), jobId);
    expect(await begun(jobId)).toEqual([[1], 1]);
  });

  test("begins once, however often it is paused and resumed", async () => {
    const jobId = await paused();
    await Promise.all([resumeJob, pauseJob, resumeJob, pauseJob, resumeJob].map((change) => change(farm(), jobId)));
    expect(await begun(jobId)).toEqual([[1], 1]);
  });
});

test("a job that is paused while it waits for its turn begins when that is taken back", async () => {
  const jobId = await submit(aJob());
  await act("pause", [jobId]);
  await act("resume", [jobId]);
  expect((await begun(jobId))[0]).toEqual([1]);
});

test("paused jobs that have begun are not loaded at a start, and go on when they are resumed", async () => {
  const jobId = await submit(aJob());
  await pauseJob(farm(), jobId);
  await restart();
  expect([farm().values.peekJob(jobId), state(jobId)]).toEqual([undefined, "queued paused"]);
  const node = await world().node();
  expect(await node.take()).toEqual([]);
  await resumeJob(farm(), jobId);
  await node.assigned();
});
