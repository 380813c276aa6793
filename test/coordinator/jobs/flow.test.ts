import { describe, expect, test } from "vitest";
import { grantCommit, noteStart } from "../../../coordinator/attempts/report.ts";
import { takeMessage } from "../../../coordinator/connections/messages.ts";
import { buildTaskInfo } from "../../../coordinator/views/job-info.ts";
import { jobResult } from "../../../coordinator/views/result/result.ts";
import {
  aConnection,
  aCopy,
  aFailure,
  aJob,
  anIntent,
  aReport,
  aSmallJob,
  aSource,
  someFacts,
} from "../../helpers/farm/farm.ts";
import { useFarm, withRetry } from "../../helpers/farm/farm-story.ts";
import { runDuties } from "../../helpers/farm/run-duties.ts";
import { stored } from "../../helpers/farm/stored.ts";

const { world, farm, submit, report, advance, pass, toCopy } = useFarm();

describe("a job's life", () => {
  test("goes from probe over grant to the end", async () => {
    const node = await world().node();
    const jobId = await submit();
    expect(world().job(jobId)).toEqual({ status: "queued", substatus: "waiting", progress: 0, error: null });

    const probe = await node.assigned();
    expect(probe).toMatchObject({
      name: "a job - src",
      work: { assets: { 0: { uri: "file:///media/in.mov" } }, steps: [{ do: "probe", id: "probe_0", asset: "0" }] },
      previousIntent: null,
    });
    expect(world().job(jobId)).toMatchObject({ status: "active", substatus: "running" });
    await noteStart(farm(), node.id, probe.fence);
    expect(await report(node, aReport(probe))).toBe("ok");
    expect(world().tasks(jobId)).toEqual(["src facts completed", "copy work running"]);

    const copy = await node.assigned();
    expect(world().job(jobId)).toMatchObject({ status: "active", substatus: "running", progress: 33 });
    expect(await grantCommit(farm(), node.id, copy.fence, anIntent(copy))).toBe("ok");
    expect(world().tasks(jobId)).toEqual(["src facts completed", "copy work committing"]);
    expect(await report(node, aReport(copy))).toBe("ok");
    expect(world().tasks(jobId)).toEqual(["src facts completed", "copy work completed"]);
    expect(world().job(jobId)).toEqual({ status: "completed", substatus: null, progress: 100, error: null });
  });

  test("puts the asset that was made into the result", async () => {
    const node = await world().node();
    const { jobId, copy } = await toCopy(node);
    await grantCommit(farm(), node.id, copy.fence, anIntent(copy));
    await report(node, aReport(copy));
    const job = await farm().store.jobs.report(jobId);
    const result = job && (await jobResult(farm(), job, "person 1"));
    expect(result).toMatchObject({ errors: [], job: { id: jobId, status: "completed", progress: 100, task_count: 2 } });
    expect(result?.tasks.at(-1)?.documents[0]?.result_payload.payload.asset_versions[0]).toMatchObject({
      location: { storage_provider: "file", path: "/out" },
      asset_components: [{ name: "in.mov", url: "file:///out/in.mov" }],
    });
  });

  test("is stored with its progress by the next tick, for lists that are sorted by it", async () => {
    const node = await world().node();
    const id = await submit(aJob({ payload: { elements: [aSource({ uid: "a" }), aSource({ uid: "b" })] } }));
    const told = await node.take();
    const [first, second] = told.flatMap((message) => (message.type === "assign" ? [message.assignment] : []));
    if (!first || !second) throw new Error("It was not given both");
    await report(node, aReport(first));
    expect([world().job(id)?.progress, stored(farm()).job(id)?.progress]).toEqual([50, 0]);
    await runDuties(farm());
    expect(stored(farm()).job(id)?.progress).toBe(50);
    await report(node, aReport(second));
    await runDuties(farm());
    expect(stored(farm()).job(id)).toMatchObject({ status: "completed", progress: 100 });
  });

  describe("on a node that is full", () => {
    /** Two of three tasks run. */
    const full = async () => {
      const node = await world().node();
      for (let nr = 0; nr < 3; nr += 1) await submit(aSmallJob());
      const told = await node.take();
      const [first] = told.flatMap((message) => (message.type === "assign" ? [message.assignment] : []));
      if (!first || told.length !== 2) throw new Error("It was not given two");
      return { node, first };
    };
    const held = (nodeId: number) => farm().registry.runningOn(nodeId).length;

    test("hands its slot on by the commit that takes its report", async () => {
      const { node, first } = await full();
      const before = farm().commits();
      expect(await report(node, aReport(first))).toBe("ok");
      expect((await node.take()).map(({ type }) => type)).toEqual(["assign"]);
      expect(farm().commits()).toBe(before + 1);
    });

    test("keeps its slot where that commit fails, and the next task waits on", async () => {
      const { node, first } = await full();
      stored(farm()).exec(`CREATE TABLE nobody (id INTEGER REFERENCES jobs DEFERRABLE INITIALLY DEFERRED);
        CREATE TRIGGER broken AFTER UPDATE ON attempts BEGIN INSERT INTO nobody VALUES (99); END`);
      await expect(report(node, aReport(first))).rejects.toThrow("FOREIGN KEY");
      expect([held(node.id), farm().ready.size(), await node.take()]).toEqual([2, 1, []]);
      stored(farm()).exec("DROP TRIGGER broken");
      expect(await report(node, aReport(first))).toBe("ok");
      expect((await node.take()).map(({ type }) => type)).toEqual(["assign"]);
      expect([held(node.id), farm().ready.size()]).toEqual([2, 0]);
    });
  });

  test("leaves the progress board when it ends", async () => {
    const node = await world().node();
    const jobId = await submit(aSmallJob());
    expect(farm().progress.job(jobId)).toBe(0);
    await report(node, aReport(await node.assigned()));
    expect(farm().progress.job(jobId)).toBeUndefined();
  });

  test("shows the progress of its tasks by their effort", async () => {
    const node = await world().node();
    const { jobId, copy } = await toCopy(node);
    await takeMessage(farm(), node.id, { type: "progress", fence: copy.fence, progress: { percent: 50 } });
    expect(farm().progress.job(jobId)).toBe(66);
  });

  test("keeps facts, which a second job only has checked", async () => {
    const node = await world().node();
    await submit(aSmallJob());
    await report(node, aReport(await node.assigned()));
    const second = await submit(aSmallJob());
    const probe = await node.assigned();
    expect(probe.work.steps).toEqual([
      { do: "probe", id: "probe_0", asset: "0", known: { size: 1000, modified: 5, tool: "probe-1" } },
    ]);
    const file = { uri: "file:///media/in.mov", size: 1000, modified: 5 };
    const found = { probe_0: { unchanged: true, tool: "probe-1", file } };
    await report(node, aReport(probe, { outcome: { outcome: "published", published: { outputs: {}, found } } }));
    expect(world().job(second)).toMatchObject({ status: "completed" });
    const task = stored(farm()).tasks(second)[0];
    expect(task?.published?.found.probe_0?.file.facts).toEqual(someFacts);
  });
});

describe("a failure", () => {
  test("that nobody handles fails the job and says where", async () => {
    const node = await world().node();
    const jobId = await submit();
    await report(node, aFailure(await node.assigned()));
    expect(world().job(jobId)).toEqual({ status: "failed", substatus: null, progress: 0, error: "src: media broke" });
    expect(world().tasks(jobId)).toEqual(["src facts failed"]);
    expect(
      stored(farm())
        .runs(jobId)
        .map(({ state }) => state),
    ).toEqual(["failed", "skipped"]);
  });

  test("whose error set succeeds completes the job with handled errors", async () => {
    const node = await world().node();
    const elements = [aSource(), aCopy(), aSource({ uid: "other" })];
    const jobId = await submit(aJob({ payload: { elements, connections: [aConnection("src", ["copy"], ["other"])] } }));
    await report(node, aFailure(await node.assigned()));
    await report(node, aReport(await node.assigned()));
    expect(world().job(jobId)).toEqual({
      status: "completed",
      substatus: "handled_errors",
      progress: 100,
      error: null,
    });
    const job = await farm().store.jobs.report(jobId);
    expect(job && (await jobResult(farm(), job, "person 1")).errors).toMatchObject([
      { result_define: "SYS_TSK_FFMPEG_ERROR", recoverable_error: 0 },
    ]);
  });

  test("is retried as often as the job allows, after its delay", async () => {
    const node = await world().node();
    const jobId = await submit(withRetry(1));
    await report(node, aFailure(await node.assigned()));
    expect(world().job(jobId)).toMatchObject({ status: "active", substatus: "retrying" });
    await pass(node, 59);
    expect(await node.take()).toEqual([]);
    await pass(node, 1);
    await report(node, aFailure(await node.assigned()));
    expect(world().job(jobId)).toMatchObject({ status: "failed", error: "src: media broke" });
  });

  test("that runs again shows the time and progress of its new attempt", async () => {
    const node = await world().node();
    const jobId = await submit(withRetry(1));
    const first = await node.assigned();
    const shown = async () => {
      const [row] = stored(farm()).tasks(jobId);
      return row && buildTaskInfo(row, farm().progress);
    };
    await takeMessage(farm(), node.id, { type: "progress", fence: first.fence, progress: { percent: 80 } });
    const before = await shown();
    expect(before).toMatchObject({ progress: 80 });
    await report(node, aFailure(first));
    expect(await shown()).toMatchObject({ status: "queued", progress: 0 });
    await pass(node, 60);
    await node.assigned();
    const after = await shown();
    expect(after).toMatchObject({ status: "running", progress: 0 });
    expect(Date.parse(after?.start_time ?? "") - Date.parse(before?.start_time ?? "")).toBe(60_000);
  });

  test("waits longer where its cause says so", async () => {
    const node = await world().node();
    await submit(withRetry(1));
    await report(node, aFailure(await node.assigned(), "resources"));
    await pass(node, 89);
    expect(await node.take()).toEqual([]);
    await pass(node, 1);
    await node.assigned();
  });

  test("may be retried without end", async () => {
    const node = await world().node();
    const task = { retry_method: "retry", retry: { count: -1, delay_sec: 0 } };
    await submit(aJob({ payload: { elements: [aSource({ task })] } }));
    for (let round = 0; round < 8; round += 1) {
      await report(node, aFailure(await node.assigned()));
      await advance(1);
    }
    await node.assigned();
  });

  test("that a retry made good stays in the result as recoverable, and nowhere else", async () => {
    const node = await world().node();
    const jobId = await submit(withRetry(1, 0));
    await report(node, aFailure(await node.assigned()));
    await advance(1);
    await report(node, aReport(await node.assigned()));
    expect(world().job(jobId)).toEqual({ status: "completed", substatus: null, progress: 100, error: null });
    const job = await farm().store.jobs.report(jobId);
    expect(job && (await jobResult(farm(), job, "person 1")).errors).toMatchObject([
      { message: "media broke", recoverable_error: 1 },
    ]);
  });

  test("at planning names the element and what is missing", async () => {
    const jobId = await submit(aJob({ payload: { elements: [{ uid: "n", kind: "dolby_vision" }] } }));
    expect(world().job(jobId)).toEqual({
      status: "failed",
      substatus: null,
      progress: 0,
      error: `n: n: elements of kind "dolby_vision" need Dolby's licensed Dolby Vision tools, which this farm does not have`,
    });
    expect(world().tasks(jobId)).toEqual(["n work failed"]);
    expect(stored(farm()).job(jobId)?.start_time).toBeNull();
  });

  test("of outputs that were never granted fails the attempt", async () => {
    const node = await world().node();
    const { jobId, copy } = await toCopy(node);
    await report(node, aReport(copy));
    expect(world().job(jobId)).toMatchObject({
      status: "failed",
      error: "copy: The node reported outputs that it was never granted to publish",
    });
  });

  test("of success without anything made fails the attempt", async () => {
    const node = await world().node();
    const { jobId, copy } = await toCopy(node);
    await report(node, aReport(copy, { outcome: { outcome: "published", published: { outputs: {}, found: {} } } }));
    expect(world().job(jobId)?.error).toMatch(/^copy: The node reported success, but made nothing of /);
  });

  test("of other files than were granted fails the attempt", async () => {
    const node = await world().node();
    const { jobId, copy } = await toCopy(node);
    await grantCommit(farm(), node.id, copy.fence, anIntent(copy));
    const outputs = { "0_0": [{ uri: "file:///elsewhere/x" }] };
    await report(node, aReport(copy, { outcome: { outcome: "published", published: { outputs, found: {} } } }));
    expect(world().job(jobId)?.error).toMatch(
      /^copy: The node reported success, but not the file:.* granted to publish$/,
    );
  });
});

test("a payload is taken up to its limit", async () => {
  const padded = (length: number) => aSmallJob({ payload: { elements: [aSource()], pad: "x".repeat(length) } });
  const room = 128_000 - JSON.stringify(padded(0).payload).length;
  await expect(submit(padded(room))).resolves.toBeGreaterThan(0);
  await expect(submit(padded(room + 1))).rejects.toThrow("payload: has 128001 characters, and 128000 are the limit");
});
