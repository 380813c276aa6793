import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { admitNode } from "../../../coordinator/nodes/admit.ts";
import { hearNode, noteDeparture } from "../../../coordinator/nodes/hear.ts";
import { hashSecret } from "../../../coordinator/secrets.ts";
import { grantCommit, noteStart, takeReport } from "../../../coordinator/work/report.ts";
import { jobResult } from "../../../coordinator/work/result.ts";
import { deleteJobs, stopJob } from "../../../coordinator/work/stop.ts";
import { submitJob } from "../../../coordinator/work/submit.ts";
import { tick } from "../../../coordinator/work/tick.ts";
import { updateJob } from "../../../coordinator/work/update.ts";
import type { Assignment, Report } from "../../../shared/protocol.ts";
import { turns } from "../../helpers/clock.ts";
import {
  aConnection,
  aCopy,
  aFailure,
  aFolder,
  aHello,
  aJob,
  anIntent,
  aRecordingConnection,
  aReport,
  aSmallJob,
  aSource,
  openTestFarm,
  removeFolder,
  someFacts,
  type TestFarm,
} from "../../helpers/farm.ts";

let folder: string;
let world: TestFarm;
const farm = () => world.farm;

beforeEach(async () => {
  folder = aFolder();
  world = await openTestFarm(folder);
});

afterEach(async () => {
  await world.close();
  const left = world.clock.waiting();
  removeFolder(folder);
  expect(left).toBe(0);
});

type Node = Awaited<ReturnType<TestFarm["node"]>>;

const submit = (job: Record<string, unknown> = aJob()) => submitJob(farm(), job);
const report = (node: Node, what: Report) => takeReport(farm(), node.id, what);
const advance = async (ms: number) => {
  await world.clock.advance(ms);
  await tick(farm());
};

/** Time that passes while the node is heard every second. */
const pass = async (node: Node, seconds: number) => {
  for (let second = 0; second < seconds; second += 1) {
    await advance(1_000);
    await hearNode(farm(), node.id, { type: "heartbeat" });
  }
};

/** Takes a job up to its copy task, assigned. */
const toCopy = async (node: Node): Promise<{ jobId: number; copy: Assignment }> => {
  const jobId = await submit();
  await report(node, aReport(await node.assigned()));
  return { jobId, copy: await node.assigned() };
};

const withRetry = (count: number, delay_sec = 60) => aSmallJob({ task_retry: { count, delay_sec } });

describe("a job's life", () => {
  test("goes from probe over grant to the end", async () => {
    const node = await world.node();
    const jobId = await submit();
    expect(world.job(jobId)).toEqual({ status: "queued", substatus: "waiting", progress: 0, error: null });

    const probe = await node.assigned();
    expect(probe).toMatchObject({
      name: "src",
      work: { assets: { 0: { uri: "file:///media/in.mov" } }, steps: [{ do: "probe", id: "probe_0", asset: "0" }] },
      earlier: null,
    });
    expect(world.job(jobId)).toMatchObject({ status: "active", substatus: "running" });
    noteStart(farm(), node.id, probe.fence);
    expect(await report(node, aReport(probe))).toBe("ok");
    expect(world.tasks(jobId)).toEqual(["src facts completed", "copy work ready"]);

    const copy = await node.assigned();
    expect(world.job(jobId)).toMatchObject({ status: "active", substatus: "running", progress: 33 });
    expect(await grantCommit(farm(), node.id, copy.fence, anIntent(copy))).toBe("ok");
    expect(world.tasks(jobId)).toEqual(["src facts completed", "copy work committing"]);
    expect(await report(node, aReport(copy))).toBe("ok");
    expect(world.tasks(jobId)).toEqual(["src facts completed", "copy work completed"]);
    expect(world.job(jobId)).toEqual({ status: "completed", substatus: null, progress: 100, error: null });
  });

  test("puts the asset that was made into the result", async () => {
    const node = await world.node();
    const { jobId, copy } = await toCopy(node);
    await grantCommit(farm(), node.id, copy.fence, anIntent(copy));
    await report(node, aReport(copy));
    const job = farm().stores.jobs.read(jobId);
    const result = job && jobResult(farm(), job);
    expect(result).toMatchObject({ errors: [], job: { id: jobId, status: "completed", progress: 100, task_count: 2 } });
    expect(result?.tasks.at(-1)?.documents[0]?.result_payload.payload.asset_versions[0]).toMatchObject({
      location: { storage_provider: "file", path: "/out" },
      asset_components: [{ name: "in.mov", url: "file:///out/in.mov" }],
    });
  });

  test("leaves the progress board when it ends", async () => {
    const node = await world.node();
    const jobId = await submit(aSmallJob());
    expect(farm().progress.job(jobId)).toBe(0);
    await report(node, aReport(await node.assigned()));
    expect(farm().progress.job(jobId)).toBeUndefined();
  });

  test("shows the progress of its tasks by their effort", async () => {
    const node = await world.node();
    const { jobId, copy } = await toCopy(node);
    await hearNode(farm(), node.id, { type: "progress", fence: copy.fence, progress: { percent: 50 } });
    expect(farm().progress.job(jobId)).toBe(66);
  });

  test("keeps facts, which a second job only has checked", async () => {
    const node = await world.node();
    await submit(aSmallJob());
    await report(node, aReport(await node.assigned()));
    const second = await submit(aSmallJob());
    const probe = await node.assigned();
    expect(probe.work.steps).toEqual([
      { do: "probe", id: "probe_0", asset: "0", known: { size: 1000, modified: 5, tool: "probe-1" } },
    ]);
    const found = { probe_0: { unchanged: true, tool: "probe-1", file: { uri: "file:///media/in.mov" } } };
    await report(node, aReport(probe, { outcome: { outcome: "published", published: { outputs: {}, found } } }));
    expect(world.job(second)).toMatchObject({ status: "completed" });
    const task = farm().stores.tasks.readOfJob(second)[0];
    expect(task?.published?.found.probe_0?.file.facts).toEqual(someFacts);
  });
});

describe("a failure", () => {
  test("that nobody handles fails the job and says where", async () => {
    const node = await world.node();
    const jobId = await submit();
    await report(node, aFailure(await node.assigned()));
    expect(world.job(jobId)).toEqual({ status: "failed", substatus: null, progress: 0, error: "src: media broke" });
    expect(world.tasks(jobId)).toEqual(["src facts failed"]);
    expect(
      farm()
        .stores.elementRuns.read(jobId)
        .map(({ state }) => state),
    ).toEqual(["failed", "skipped"]);
  });

  test("whose error set succeeds completes the job with handled errors", async () => {
    const node = await world.node();
    const elements = [aSource(), aCopy(), aSource({ uid: "other" })];
    const jobId = await submit(aJob({ payload: { elements, connections: [aConnection("src", ["copy"], ["other"])] } }));
    await report(node, aFailure(await node.assigned()));
    await report(node, aReport(await node.assigned()));
    expect(world.job(jobId)).toEqual({ status: "completed", substatus: "handled_errors", progress: 100, error: null });
    const job = farm().stores.jobs.read(jobId);
    expect(job && jobResult(farm(), job).errors).toMatchObject([{ result_define: "MEDIA", recoverable_error: 0 }]);
  });

  test("is retried as often as the job allows, after its delay", async () => {
    const node = await world.node();
    const jobId = await submit(withRetry(1));
    await report(node, aFailure(await node.assigned()));
    expect(world.job(jobId)).toMatchObject({ status: "active", substatus: "retrying" });
    await pass(node, 59);
    expect(await node.take()).toEqual([]);
    await pass(node, 1);
    await report(node, aFailure(await node.assigned()));
    expect(world.job(jobId)).toMatchObject({ status: "failed", error: "src: media broke" });
  });

  test("waits longer where its cause says so", async () => {
    const node = await world.node();
    await submit(withRetry(1));
    await report(node, aFailure(await node.assigned(), "resources"));
    await pass(node, 89);
    expect(await node.take()).toEqual([]);
    await pass(node, 1);
    await node.assigned();
  });

  test("may be retried without end", async () => {
    const node = await world.node();
    const task = { retry_method: "retry", retry: { count: -1, delay_sec: 0 } };
    await submit(aJob({ payload: { elements: [aSource({ task })] } }));
    for (let round = 0; round < 8; round += 1) {
      await report(node, aFailure(await node.assigned()));
      await advance(1);
    }
    await node.assigned();
  });

  test("that a retry made good stays in the result as recoverable, and nowhere else", async () => {
    const node = await world.node();
    const jobId = await submit(withRetry(1, 0));
    await report(node, aFailure(await node.assigned()));
    await advance(1);
    await report(node, aReport(await node.assigned()));
    expect(world.job(jobId)).toEqual({ status: "completed", substatus: null, progress: 100, error: null });
    const job = farm().stores.jobs.read(jobId);
    expect(job && jobResult(farm(), job).errors).toMatchObject([{ message: "media broke", recoverable_error: 1 }]);
  });

  test("at planning names the element and what is missing", async () => {
    const jobId = await submit(aJob({ payload: { elements: [{ uid: "n", kind: "notify" }] } }));
    expect(world.job(jobId)).toEqual({
      status: "failed",
      substatus: null,
      progress: 0,
      error: 'n: n: elements of kind "notify" are not implemented in this version',
    });
    expect(world.tasks(jobId)).toEqual(["n work failed"]);
    expect(farm().stores.jobs.read(jobId)?.start_time).toBeNull();
  });

  test("of outputs that were never granted fails the attempt", async () => {
    const node = await world.node();
    const { jobId, copy } = await toCopy(node);
    await report(node, aReport(copy));
    expect(world.job(jobId)).toMatchObject({
      status: "failed",
      error: "copy: The node reported outputs that it was never granted to publish",
    });
  });
});

describe("an attempt", () => {
  test("may ask twice for its grant and report twice", async () => {
    const node = await world.node();
    const { jobId, copy } = await toCopy(node);
    const grants = [1, 2].map(() => grantCommit(farm(), node.id, copy.fence, anIntent(copy)));
    expect(await Promise.all(grants)).toEqual(["ok", "ok"]);
    expect(await Promise.all([report(node, aReport(copy)), report(node, aReport(copy))])).toEqual(["ok", "ok"]);
    expect(world.job(jobId)).toMatchObject({ status: "completed" });
  });

  test("is stale for another node, another epoch and when nobody knows it", async () => {
    const node = await world.node();
    const other = await world.node({ slots: 0, tools: { ffmpeg: null, ffprobe: null, capabilities: [] } });
    const { copy } = await toCopy(node);
    const { epoch, counter } = copy.fence;
    expect(await grantCommit(farm(), other.id, copy.fence, anIntent(copy))).toBe("stale");
    expect(noteStart(farm(), node.id, { epoch: epoch - 1, counter })).toBe("stale");
    expect(await report(node, aReport(copy, { fence: { epoch, counter: 999 } }))).toBe("stale");
  });

  test("of a lost node is stale once the task was given away, and its report may be forgotten", async () => {
    const node = await world.node();
    await submit(aSmallJob());
    const first = await node.assigned();
    noteDeparture(farm(), node.id, node.connection);
    await advance(30_000);
    const other = await world.node();
    const second = await other.assigned();
    expect(second.fence.counter).toBeGreaterThan(first.fence.counter);
    expect(noteStart(farm(), node.id, first.fence)).toBe("stale");
    expect(await report(node, aReport(first))).toBe("ok");
    expect(await report(other, aReport(second))).toBe("ok");
  });
});

describe("a lost node", () => {
  test("keeps its task until it has been silent for too long", async () => {
    const node = await world.node();
    const jobId = await submit(aSmallJob());
    await node.assigned();
    noteDeparture(farm(), node.id, node.connection);
    await advance(29_999);
    expect(world.tasks(jobId)).toEqual(["src facts running"]);
    await advance(1);
    expect(world.tasks(jobId)).toEqual(["src facts ready"]);
    expect(farm().stores.tasks.readOfJob(jobId)).toMatchObject([{ retry_nr: 0, losses: 1 }]);
  });

  test("that is silent on an open connection is hung up and given nothing more", async () => {
    const node = await world.node();
    const jobId = await submit(aSmallJob());
    await node.assigned();
    await advance(30_000);
    await advance(1_000);
    await advance(1_000);
    expect(await node.take()).toEqual([]);
    expect(node.state.isClosed).toBe(true);
    expect(farm().stores.tasks.readOfJob(jobId)).toMatchObject([{ state: "ready", losses: 1 }]);
  });

  test("is not waited for by a heartbeat that comes in time", async () => {
    const node = await world.node();
    const jobId = await submit(aSmallJob());
    await node.assigned();
    for (let beat = 0; beat < 10; beat += 1) {
      await advance(5_000);
      await hearNode(farm(), node.id, { type: "heartbeat" });
    }
    expect(world.tasks(jobId)).toEqual(["src facts running"]);
  });

  test("costs a task its life after ten losses and one", async () => {
    const node = await world.node();
    const jobId = await submit(aSmallJob());
    let current = node;
    for (let loss = 1; loss <= 11; loss += 1) {
      await current.assigned();
      noteDeparture(farm(), node.id, current.connection);
      await advance(30_000);
      if (loss < 11) current = world.connect(node.id);
    }
    expect(world.job(jobId)).toMatchObject({ status: "failed" });
    expect(world.job(jobId)?.error).toContain("Its node was lost 11 times");
  });

  test("with a grant is waited for longer; then the next attempt starts from the intent", async () => {
    const node = await world.node();
    const { jobId, copy } = await toCopy(node);
    await grantCommit(farm(), node.id, copy.fence, anIntent(copy));
    noteDeparture(farm(), node.id, node.connection);
    await advance(599_000);
    expect(world.tasks(jobId).at(-1)).toBe("copy work committing");
    await advance(1_000);
    expect(world.tasks(jobId).at(-1)).toBe("copy work ready");
    const next = await (await world.node()).assigned();
    expect(next.earlier).toEqual(anIntent(copy));
  });
});

describe("a node that comes back", () => {
  const comeBack = async (node: Node, attempts: Assignment[]) => {
    const key = "right";
    const { heard, connection } = aRecordingConnection();
    const held = attempts.map(({ fence, taskId }) => ({ fence, taskId, state: "running" as const }));
    const enrolled = await admitNode(farm(), { isJoinToken: () => true }, aHello(), aRecordingConnection().connection);
    expect(enrolled).not.toBe(node.id);
    farm().db.writer.prepare("UPDATE nodes SET key_hash = ? WHERE id = ?").run(hashSecret(key), node.id);
    farm().registry.forget(enrolled ?? 0);
    const hello = aHello({ credentials: { nodeId: node.id, nodeKey: key }, attempts: held });
    await admitNode(farm(), { isJoinToken: () => false }, hello, connection);
    await turns();
    return heard;
  };

  test("with its attempt goes on with it", async () => {
    const node = await world.node();
    const jobId = await submit(aSmallJob());
    const probe = await node.assigned();
    const heard = await comeBack(node, [probe]);
    expect(heard).toMatchObject([{ type: "welcome", nodeId: node.id, keep: [probe.fence], nodeKey: undefined }]);
    expect(await report(node, aReport(probe))).toBe("ok");
    expect(world.job(jobId)).toMatchObject({ status: "completed" });
  });

  test("without its attempt is given the task anew", async () => {
    const node = await world.node();
    await submit(aSmallJob());
    const probe = await node.assigned();
    const heard = await comeBack(node, []);
    expect(heard.map(({ type }) => type)).toEqual(["welcome", "assign"]);
    expect(heard).toMatchObject([{ keep: [] }, { assignment: { taskId: probe.taskId } }]);
    expect(noteStart(farm(), node.id, probe.fence)).toBe("stale");
  });
});

test("a node that says goodbye gives back its tasks and is offered them no more", async () => {
  const node = await world.node();
  const jobId = await submit(aSmallJob());
  await node.assigned();
  await hearNode(farm(), node.id, { type: "goodbye" });
  expect(await node.take()).toEqual([]);
  expect(farm().stores.tasks.readOfJob(jobId)).toMatchObject([{ state: "ready", losses: 1 }]);
  await (await world.node()).assigned();
});

test("a goodbye between two milliseconds is noted as any other", async () => {
  const node = await world.node();
  await world.clock.advance(0.5);
  await hearNode(farm(), node.id, { type: "goodbye" });
  expect(farm().stores.nodes.get(node.id)?.lastSeen).toBe(farm().registry.row(node.id)?.lastSeen);
});

test("a goodbye leaves what was granted to be published", async () => {
  const node = await world.node();
  const { jobId, copy } = await toCopy(node);
  await grantCommit(farm(), node.id, copy.fence, anIntent(copy));
  await hearNode(farm(), node.id, { type: "goodbye" });
  expect(world.tasks(jobId).at(-1)).toBe("copy work committing");
});

describe("stopping", () => {
  test("ends a job on its node: failed and stopped", async () => {
    const node = await world.node();
    const { jobId, copy } = await toCopy(node);
    await stopJob(farm(), jobId);
    expect(await node.take()).toMatchObject([{ type: "cancel", fence: copy.fence, why: "The job was stopped" }]);
    expect(world.job(jobId)).toEqual({ status: "failed", substatus: "stopped", progress: 33, error: "Stopped" });
    expect(await grantCommit(farm(), node.id, copy.fence, anIntent(copy))).toBe("stale");
    expect(await report(node, aReport(copy))).toBe("ok");
    expect(world.job(jobId)).toMatchObject({ status: "failed", substatus: "stopped" });
  });

  test("a job at the moment its task is handed out does not hand it out", async () => {
    const node = await world.node();
    const jobId = await submit(aSmallJob());
    await stopJob(farm(), jobId);
    const types = (await node.take()).map(({ type }) => type);
    expect(types).not.toContain("assign");
    expect(farm().registry.heldBy(node.id)).toEqual([]);
  });

  test("a job that waits has it never start", async () => {
    const jobId = await submit();
    await stopJob(farm(), jobId);
    expect(world.job(jobId)).toEqual({ status: "failed", substatus: "stopped", progress: 0, error: "Stopped" });
    expect(farm().stores.jobs.read(jobId)?.start_time).toBeNull();
    const node = await world.node();
    expect(await node.take()).toEqual([]);
    expect(farm().ready.size()).toBe(0);
  });

  test("a job that waits out a delay has no retry", async () => {
    const node = await world.node();
    const jobId = await submit(withRetry(3));
    await report(node, aFailure(await node.assigned()));
    await stopJob(farm(), jobId);
    await advance(120_000);
    expect(world.job(jobId)).toMatchObject({ status: "failed", substatus: "stopped" });
    expect(farm().delayed.size).toBe(0);
  });

  test("a job that has ended changes nothing", async () => {
    const node = await world.node();
    const jobId = await submit(aSmallJob());
    await report(node, aReport(await node.assigned()));
    await stopJob(farm(), jobId);
    await stopJob(farm(), jobId);
    expect(world.job(jobId)).toMatchObject({ status: "completed", substatus: null });
  });

  test("a job that is not there is refused", async () => {
    await expect(stopJob(farm(), 99)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("deleting", () => {
  test("ends what runs and leaves nothing", async () => {
    const node = await world.node();
    const { jobId, copy } = await toCopy(node);
    expect(await deleteJobs(farm(), [jobId, jobId, 99])).toEqual([jobId]);
    expect(await node.take()).toMatchObject([{ type: "cancel", fence: copy.fence, why: "The job was deleted" }]);
    expect(world.job(jobId)).toBeUndefined();
    expect(farm().registry.heldBy(node.id)).toEqual([]);
    expect(await report(node, aReport(copy))).toBe("stale");
    expect(world.events.filter((type) => type === "job.deleted")).toHaveLength(1);
  });

  test("happens by itself when a job expires, counted from its end", async () => {
    const node = await world.node();
    const jobId = await submit(aSmallJob({ expiration: 2 }));
    await world.clock.advance(600_000);
    await hearNode(farm(), node.id, { type: "heartbeat" });
    await report(node, aReport(await node.assigned()));
    await advance(119_999);
    expect(world.job(jobId)).toBeDefined();
    await advance(1);
    expect(world.job(jobId)).toBeUndefined();
  });
});

describe("what nobody can run", () => {
  const tagged = aSmallJob({ task_tags: ["gpu"] });

  test("waits for a while and then fails by its name", async () => {
    await world.node();
    const jobId = await submit(tagged);
    await advance(59_999);
    expect(world.job(jobId)).toMatchObject({ status: "queued" });
    await advance(1);
    expect(world.job(jobId)).toMatchObject({
      status: "failed",
      error: 'src: src: no node of the farm provides tag "gpu"',
    });
  });

  test("runs on a node that comes in time", async () => {
    const jobId = await submit(tagged);
    await advance(30_000);
    await (await world.node({ tags: ["gpu"] })).assigned();
    expect(world.tasks(jobId)).toEqual(["src facts running"]);
  });

  test("waits without end where a node that could is only away or paused", async () => {
    const node = await world.node({ tags: ["gpu"] });
    noteDeparture(farm(), node.id, node.connection);
    const jobId = await submit(tagged);
    await advance(3_600_000);
    expect(world.job(jobId)).toMatchObject({ status: "queued", substatus: "waiting" });
  });
});

describe("a new priority", () => {
  test("holds for tasks that wait already", async () => {
    const [low, high] = [await submit(aSmallJob()), await submit(aSmallJob())];
    await updateJob(farm(), high, { priority: 200 });
    const node = await world.node({ slots: 1 });
    const assigned = (await node.take()).flatMap((message) =>
      message.type === "assign" ? [message.assignment.taskId] : [],
    );
    expect(assigned).toEqual([high, low].map((id) => farm().stores.tasks.readOfJob(id)[0]?.id));
  });

  test("does not overrule a task's own", async () => {
    const own = { task: { priority: 5 } };
    const jobId = await submit(aJob({ payload: { elements: [aSource(own)] } }));
    await updateJob(farm(), jobId, { priority: 200 });
    const [task] = farm().stores.tasks.readOfJob(jobId);
    expect(farm().ready.get(task?.id ?? 0)?.priority).toBe(5);
  });
});

describe("a restart", () => {
  const restart = async () => {
    await world.close();
    const { clock } = world;
    world = await openTestFarm(folder, { clock });
  };

  test("loses nothing, and the epoch is higher", async () => {
    const node = await world.node();
    const { jobId, copy } = await toCopy(node);
    const waiting = await submit(aSmallJob({ task_tags: ["later"] }));
    const before = farm().epoch;
    await restart();
    expect(farm().epoch).toBeGreaterThan(before);
    expect(world.tasks(jobId)).toEqual(["src facts completed", "copy work running"]);
    expect(
      farm()
        .registry.heldBy(node.id)
        .map(({ fence }) => fence),
    ).toEqual([copy.fence]);
    expect(farm().ready.size()).toBe(1);
    world.connect(node.id);
    expect(await grantCommit(farm(), node.id, copy.fence, anIntent(copy))).toBe("ok");
    expect(await report(node, aReport(copy))).toBe("ok");
    expect(world.job(jobId)).toMatchObject({ status: "completed" });
    expect(world.job(waiting)).toMatchObject({ status: "queued" });
  });

  test("remembers who waits out a delay", async () => {
    const node = await world.node();
    await submit(withRetry(1));
    await report(node, aFailure(await node.assigned()));
    await restart();
    expect(farm().delayed.size).toBe(1);
    await advance(60_000);
    await world.connect(node.id).assigned();
  });

  test("does not count against a task whose node stays away", async () => {
    const node = await world.node();
    const jobId = await submit(aSmallJob());
    await node.assigned();
    await restart();
    await advance(30_000);
    expect(farm().stores.tasks.readOfJob(jobId)).toMatchObject([{ state: "ready", losses: 0 }]);
  });
});

test("a payload is taken up to its limit", async () => {
  const padded = (length: number) => aSmallJob({ payload: { elements: [aSource()], pad: "x".repeat(length) } });
  const room = 128_000 - JSON.stringify(padded(0).payload).length;
  await expect(submit(padded(room))).resolves.toBeGreaterThan(0);
  expect(() => submit(padded(room + 1))).toThrow("payload: has 128001 characters, and 128000 are the limit");
});
