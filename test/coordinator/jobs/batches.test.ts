import { describe, expect, test } from "vitest";
import { grantCommit } from "../../../coordinator/attempts/report.ts";
import { retryJob } from "../../../coordinator/jobs/retry.ts";
import { stopJob } from "../../../coordinator/jobs/stop.ts";
import type { Assignment, Report } from "../../../shared/protocol/messages.ts";
import { turns } from "../../helpers/clock.ts";
import { aConnection, aCopy, aFailure, aListing, anIntent, aReport, aSource } from "../../helpers/farm/farm.ts";
import { type FakeNode, useFarm } from "../../helpers/farm/farm-story.ts";
import { stored } from "../../helpers/farm/stored.ts";

const { world, farm, submit, report, restart } = useFarm();

const anEnumeration = (uid = "all", settings = {}) => ({
  uid,
  kind: "folder_enum",
  payload: { source: { storage_provider: "file", path: `/media/${uid}` }, settings },
});
const aBatchedJob = (settings = {}, more: object[] = [], connections: object[] = []) => ({
  name: "batches",
  payload: {
    elements: [anEnumeration("all", settings), aCopy(), ...more],
    connections: [aConnection("all", ["copy"], more.length > 0 ? ["tell"] : []), ...connections],
  },
});

const filesIn = (folder: string, count: number): string[] =>
  [...Array(count).keys()].map((nr) => `file:///media/${folder}/${String(nr).padStart(6, "0")}.mov`);

/** Lets the node do all that it is given; `ends` says how. */
const work = async (node: FakeNode, ends: (assignment: Assignment) => Report = aReport) => {
  for (let messages = await node.take(); messages.length > 0; messages = await node.take()) {
    for (const message of messages)
      if (message.type === "assign") await finish(node, message.assignment, ends(message.assignment));
    await turns();
  }
};

const finish = async (node: FakeNode, assignment: Assignment, what: Report) => {
  const hasOutputs = what.outcome.outcome === "published" && Object.keys(assignment.work.outputs).length > 0;
  if (hasOutputs) await grantCommit(farm(), node.id, assignment.fence, anIntent(assignment));
  await report(node, what);
};

const stateOf = (id: number) => {
  const rows = [...stored(farm()).runs(id), ...stored(farm()).instances(id)];
  return Object.fromEntries(rows.map(({ uid, path, state }) => [path === "" ? uid : `${uid}#${path}`, state]));
};

describe("what a folder_enum leads to", () => {
  test("runs once for each file, under names of its own", async () => {
    const node = await world().node();
    const id = await submit(aBatchedJob());
    await report(node, aListing(await node.assigned(), filesIn("all", 3)));
    const seen: Assignment[] = [];
    await work(node, (assignment) => {
      seen.push(assignment);
      return aReport(assignment);
    });
    expect(seen.map(({ work: { assets, outputs } }) => [Object.values(assets), Object.values(outputs)])).toMatchObject(
      ["000000", "000001", "000002"].map((name, nr) => [
        [{ uri: `file:///media/all/${name}.mov`, looked: { size: 1000, modified: 5 } }],
        [{ name: `${name}.mov`, version: `all#${nr}` }],
      ]),
    );
    expect(
      stored(farm())
        .tasks(id)
        .map(({ uid, element_uid }) => `${uid} ${element_uid}`),
    ).toEqual([...["all all", "copy#0 copy", "copy#1 copy", "copy#2 copy"]]);
    expect(stateOf(id)).toEqual({
      ...{ all: "succeeded", copy: "waiting", "copy#0": "succeeded", "copy#1": "succeeded", "copy#2": "succeeded" },
    });
    expect(world().job(id)).toMatchObject({ status: "completed", substatus: null, progress: 100 });
  });

  test("runs once for each batch of so many files", async () => {
    const node = await world().node();
    const id = await submit(aBatchedJob({ files_per_job: 2 }));
    await report(node, aListing(await node.assigned(), filesIn("all", 5)));
    await work(node);
    expect(
      stored(farm())
        .tasks(id)
        .map(({ uid, published }) => [uid, Object.keys(published?.outputs ?? {}).length]),
    ).toEqual([
      ["all", 0],
      ["copy#0", 2],
      ["copy#1", 2],
      ["copy#2", 1],
    ]);
  });

  test("is decided once, without a number, where it finds nothing", async () => {
    const node = await world().node();
    const id = await submit(aBatchedJob({}, [aSource({ uid: "tell" })]));
    await report(node, aListing(await node.assigned(), []));
    await work(node);
    expect(stateOf(id)).toEqual({ all: "succeeded", copy: "skipped", tell: "skipped" });
    expect(world().job(id)).toMatchObject({ status: "completed", substatus: null });
  });

  test("is not run where it fails, and its error branch runs once", async () => {
    const node = await world().node();
    const id = await submit(aBatchedJob({}, [aSource({ uid: "tell" })]));
    await report(node, aFailure(await node.assigned(), "source"));
    await work(node);
    expect(stateOf(id)).toEqual({ all: "failed", copy: "skipped", tell: "succeeded" });
    expect(world().job(id)).toMatchObject({ status: "completed", substatus: "handled_errors" });
  });

  test("fails the job where one batch failed, once all have ended, naming the instance", async () => {
    const node = await world().node();
    const id = await submit(aBatchedJob());
    await report(node, aListing(await node.assigned(), filesIn("all", 3)));
    await work(node, (each) => (each.work.outputs["0_0"]?.name === "000001.mov" ? aFailure(each) : aReport(each)));
    expect(world().job(id)).toMatchObject({ status: "failed", error: expect.stringMatching(/^copy#1: /) });
    expect(stateOf(id)).toMatchObject({ "copy#0": "succeeded", "copy#1": "failed", "copy#2": "succeeded" });
  });

  test("is refused where a job would have more than 100,000 runs in batches", async () => {
    const node = await world().node();
    const elements = [anEnumeration(), aCopy(), aSource({ uid: "tell" })];
    const connections = [aConnection("all", ["copy"]), aConnection("copy", ["tell"])];
    const id = await submit({ name: "many", payload: { elements, connections } });
    await report(node, aListing(await node.assigned(), filesIn("all", 50_001)));
    await work(node);
    const error = "all: 50,001 batches would run 2 elements each, 100,002 runs in all; a job may have 100,000";
    expect(world().job(id)).toMatchObject({ status: "failed", error });
  });
});

describe("a retry", () => {
  test("runs the batch that failed again, and no other", async () => {
    const node = await world().node();
    const id = await submit(aBatchedJob());
    await report(node, aListing(await node.assigned(), filesIn("all", 4)));
    await work(node, (each) => (each.work.outputs["0_0"]?.name === "000001.mov" ? aFailure(each) : aReport(each)));
    expect(world().job(id)?.status).toBe("failed");
    const { tasks } = await retryJob(farm(), id, { scope: "failed", taskIds: [], replan: undefined });
    expect(tasks).toHaveLength(1);
    await work(node);
    expect(world().job(id)).toMatchObject({ status: "completed", substatus: null });
    expect(stored(farm()).tasks(id)).toHaveLength(5);
  });

  test("goes on with the batches that a stop left, also after a restart", async () => {
    const node = await world().node({ slots: 1 });
    const id = await submit(aBatchedJob());
    await report(node, aListing(await node.assigned(), filesIn("all", 4)));
    const [first] = await node.take();
    if (first?.type === "assign") await finish(node, first.assignment, aReport(first.assignment));
    await stopJob(farm(), id);
    await restart();
    await turns();
    expect(world().job(id)).toMatchObject({ status: "failed", substatus: "stopped" });
    await retryJob(farm(), id, { scope: "failed", taskIds: [], replan: undefined });
    await work(await world().node());
    expect(stateOf(id)).toMatchObject({ all: "succeeded", "copy#0": "succeeded", "copy#3": "succeeded" });
    expect(world().job(id)).toMatchObject({ status: "completed", substatus: null });
  });

  test("of a folder_enum that failed forgets what ran without a batch", async () => {
    const node = await world().node();
    const id = await submit(aBatchedJob({}, [aSource({ uid: "tell" })], [aConnection("tell", ["copy"], ["copy"])]));
    await report(node, aFailure(await node.assigned(), "source"));
    await work(node);
    expect(stateOf(id)).toMatchObject({ all: "failed", tell: "succeeded", copy: "succeeded" });
    await retryJob(farm(), id, { scope: "failed", taskIds: [], replan: undefined });
    await report(node, aListing(await node.assigned(), filesIn("all", 2)));
    await work(node);
    expect(stateOf(id)).toMatchObject({ all: "succeeded", "copy#0": "succeeded", "copy#1": "succeeded" });
    expect(world().job(id)?.status).toBe("completed");
  });
});
