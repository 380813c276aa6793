import { describe, expect, test } from "vitest";
import { deleteJobs, stopJob } from "../../../coordinator/jobs/stop.ts";
import { explain } from "../../../coordinator/views/explain.ts";
import { jobResult } from "../../../coordinator/views/result/result.ts";
import { aConnection, aCopy, aJob, aSource } from "../../helpers/farm/farm.ts";
import { useFarm } from "../../helpers/farm/farm-story.ts";
import { stored } from "../../helpers/farm/stored.ts";

const { world, farm, submit, advance: pass, restart } = useFarm();

const aTest = (script: object = {}, changes: Record<string, unknown> = {}) =>
  aJob({ schema: "api_test", api_test: script, ...changes });
const advance = (seconds: number) => pass(seconds * 1000);
const step = (uid: string, state: string) => `${uid} work ${state}`;

test("a job walks through its states by its script, without a node", async () => {
  const id = await submit(aTest({ queued_sec: 2, running_sec: 10 }));
  expect([world().job(id), world().tasks(id)]).toEqual([
    { status: "queued", substatus: "waiting", progress: 0, error: null },
    [step("src", "ready")],
  ]);
  await advance(2);
  expect(world().job(id)).toEqual({ status: "active", substatus: "running", progress: 0, error: null });
  await advance(5);
  const [task] = stored(farm()).tasks(id);
  expect(farm().progress.task(task?.id ?? 0)).toEqual({ percent: 50 });
  await advance(5);
  expect([world().job(id)?.status, world().tasks(id)]).toEqual([
    "active",
    [step("src", "completed"), step("copy", "ready")],
  ]);
  await advance(2);
  await advance(10);
  expect(world().job(id)).toEqual({ status: "completed", substatus: null, progress: 100, error: null });
});

test("an element's own words win over the job's", async () => {
  const id = await submit(aTest({ queued_sec: 0, running_sec: 1, elements: { copy: { running_sec: "20" } } }));
  await advance(1);
  await advance(1);
  await advance(10);
  expect(world().tasks(id)).toEqual([step("src", "completed"), step("copy", "running")]);
  await advance(10);
  expect(world().job(id)?.status).toBe("completed");
});

test("progress goes through the values that are given", async () => {
  const id = await submit(aTest({ queued_sec: 0, running_sec: 4, progress: [10, 20, 80, 99] }));
  await advance(0);
  const shown: (number | undefined)[] = [];
  for (let second = 0; second < 4; second += 1) {
    const [task] = stored(farm()).tasks(id);
    shown.push(farm().progress.task(task?.id ?? 0)?.percent);
    await advance(1);
  }
  expect(shown).toEqual([10, 20, 80, 99]);
});

describe("a failure that is asked for", () => {
  test("fails the job where nothing handles it", async () => {
    const script = {
      queued_sec: 0,
      running_sec: 10,
      failures: -1,
      fail_at_percent: 50,
      cause: "storage",
      message: "full",
    };
    const id = await submit(aTest(script));
    await advance(0);
    await advance(5);
    expect(world().job(id)).toEqual({ status: "failed", substatus: null, progress: 0, error: "src: full" });
  });

  test("costs as many retries as it lasts", async () => {
    const task_retry = { count: 2, delay_sec: 30 };
    const script = { queued_sec: 0, running_sec: 1, elements: { src: { failures: 1 } } };
    const id = await submit(aTest(script, { task_retry }));
    await advance(0);
    await advance(1);
    expect(world().job(id)).toMatchObject({ status: "active", substatus: "retrying" });
    for (let seconds = 0; seconds < 60; seconds += 1) await advance(1);
    expect(world().job(id)).toMatchObject({ status: "completed" });
    expect(
      stored(farm())
        .tasks(id)
        .map(({ retry_nr }) => retry_nr),
    ).toEqual([1, 0]);
  });

  test("costs no retry where the file itself is the cause: it would cost the next node as much", async () => {
    const script = { queued_sec: 0, running_sec: 1, failures: -1, cause: "file", message: "endless" };
    const id = await submit(aTest(script, { task_retry: { count: 5, delay_sec: 0 } }));
    await advance(0);
    await advance(1);
    expect(world().job(id)).toMatchObject({ status: "failed", error: "src: endless" });
    expect(stored(farm()).tasks(id)).toMatchObject([{ retry_nr: 0, failure: { cause: "file" } }]);
  });

  test("is listed once for each run that failed", async () => {
    const script = { queued_sec: 0, running_sec: 1, elements: { src: { failures: 2 }, copy: { failures: -1 } } };
    const id = await submit(aTest(script, { task_retry: { count: 2, delay_sec: 0 } }));
    for (let seconds = 0; seconds < 20; seconds += 1) await advance(1);
    const report = await farm().store.jobs.report(id);
    const errors = report ? (await jobResult(farm(), report, "person 1")).errors : [];
    expect(errors).toMatchObject([
      ...[0, 1].map((retry_nr) => ({ message: "This failure was asked for", retry_nr, recoverable_error: 1 })),
      ...[0, 1, 2].map((retry_nr) => ({ retry_nr, recoverable_error: retry_nr === 2 ? 0 : 1 })),
    ]);
  });

  test("takes the error branch", async () => {
    const elements = [aSource(), aCopy(), aCopy({ uid: "rescue" })];
    const connections = [aConnection("src", ["copy"]), aConnection("copy", [], ["rescue"])];
    const script = { queued_sec: 0, running_sec: 0, elements: { copy: { failures: -1 } } };
    const id = await submit(aTest(script, { payload: { elements, connections } }));
    await advance(1);
    expect([world().job(id)?.status, world().job(id)?.substatus, world().tasks(id)]).toEqual([
      "completed",
      "handled_errors",
      [step("src", "completed"), step("copy", "failed"), step("rescue", "completed")],
    ]);
  });
});

test("a restart goes on where the job stood", async () => {
  const id = await submit(aTest({ queued_sec: 1, running_sec: 10 }));
  await advance(1);
  await advance(4);
  await restart();
  expect(world().tasks(id)).toEqual([step("src", "running")]);
  await advance(5);
  expect(world().tasks(id)).toEqual([step("src", "running")]);
  await advance(1);
  expect(world().tasks(id)).toEqual([step("src", "completed"), step("copy", "ready")]);
});

test("stopping and deleting end it", async () => {
  const [stopped, deleted] = [await submit(aTest({ queued_sec: 0 })), await submit(aTest({ queued_sec: 0 }))];
  await advance(0);
  await stopJob(farm(), stopped);
  await deleteJobs(farm(), [deleted]);
  await advance(100);
  expect(world().job(stopped)).toMatchObject({ status: "failed", substatus: "stopped" });
  expect([world().job(deleted), [...farm().simulated]]).toEqual([undefined, []]);
});

test("no node is given anything of it", async () => {
  const node = await world().node();
  await submit(aTest());
  await advance(1);
  expect(await node.take()).toEqual([]);
});

test("any text is a payload of it", async () => {
  const id = await submit(aTest({ queued_sec: 0, running_sec: 0 }, { payload: "<job/>" }));
  await advance(0);
  expect([world().job(id)?.status, world().tasks(id)]).toEqual(["completed", [step("payload", "completed")]]);
});

test("what cannot run yet runs here", async () => {
  const elements = [aSource(), { uid: "n", kind: "notify", payload: {} }];
  const id = await submit(aTest({ queued_sec: 0, running_sec: 0 }, { payload: { elements } }));
  await advance(0);
  expect(world().job(id)?.status).toBe("completed");
});

test.each([
  [{ running_sec: -1 }, "api_test.running_sec: must be at least 0, not -1"],
  [{ failures: "often" }, 'api_test.failures: must be a number, not "often"'],
  [{ cause: "medai" }, /^api_test\.cause: must be one of .*; did you mean "media"\?/],
  [{ elements: { nobody: {} } }, 'api_test.elements.nobody: there is no element with uid "nobody"'],
])("%j is refused", async (script, expected) => {
  await expect(submit(aTest(script))).rejects.toThrow(expected);
});

test("why a task waits or runs is its script, whatever nodes there are", async () => {
  const id = await submit(aTest({ queued_sec: 5, running_sec: 5 }));
  const told = () => {
    const [row] = stored(farm()).tasks(id);
    if (!row) throw new Error("there is no task");
    const { summary, is_waiting, nodes } = explain(farm(), row, "all");
    return [is_waiting, nodes, summary];
  };
  const words = "Its job only pretends: it goes by the job's script, without a node.";
  expect(told()).toEqual([true, [], words]);
  await advance(6);
  expect(told()).toEqual([false, [], words]);
});
