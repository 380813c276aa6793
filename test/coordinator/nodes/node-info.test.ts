import { describe, expect, test } from "vitest";
import { grantCommit, noteStart } from "../../../coordinator/attempts/report.ts";
import { admitNode } from "../../../coordinator/connections/admit.ts";
import { takeDisconnect, takeMessage } from "../../../coordinator/connections/messages.ts";
import { hashSecret } from "../../../coordinator/secrets/vault.ts";
import { Secret } from "../../../shared/basics/secret.ts";
import type { Assignment } from "../../../shared/protocol/messages.ts";
import { testStart, turns } from "../../helpers/clock.ts";
import {
  aFailure,
  aHello,
  anIntent,
  aRecordingConnection,
  aReport,
  aSmallJob,
  rekey,
} from "../../helpers/farm/farm.ts";
import { type FakeNode, useFarm, withRetry } from "../../helpers/farm/farm-story.ts";
import { runDuties } from "../../helpers/farm/run-duties.ts";
import { stored } from "../../helpers/farm/stored.ts";

const { world, farm, submit, report, advance, toCopy, restart } = useFarm();

test("jobs that come at once fill all slots of a node at once", async () => {
  const node = await world().node();
  await submit(aSmallJob());
  await submit(aSmallJob());
  await turns();
  expect(farm().registry.runningOn(node.id)).toHaveLength(2);
});

describe("an attempt", () => {
  test("may ask twice for its grant and report twice", async () => {
    const node = await world().node();
    const { jobId, copy } = await toCopy(node);
    const grants = [1, 2].map(() => grantCommit(farm(), node.id, copy.fence, anIntent(copy)));
    expect(await Promise.all(grants)).toEqual(["ok", "ok"]);
    expect(await Promise.all([report(node, aReport(copy)), report(node, aReport(copy))])).toEqual(["ok", "ok"]);
    expect(world().job(jobId)).toMatchObject({ status: "completed" });
  });

  test("is stale for another node, another epoch and when nobody knows it", async () => {
    const node = await world().node();
    const other = await world().node({ slots: 0, tools: { ffmpeg: null, ffprobe: null, capabilities: [] } });
    const { copy } = await toCopy(node);
    const { epoch, counter } = copy.fence;
    expect(await grantCommit(farm(), other.id, copy.fence, anIntent(copy))).toBe("stale");
    expect(await noteStart(farm(), node.id, { epoch: epoch - 1, counter })).toBe("stale");
    expect(await report(node, aReport(copy, { fence: { epoch, counter: 999 } }))).toBe("stale");
  });

  test("of a lost node is stale once the task was given away, and its report may be forgotten", async () => {
    const node = await world().node();
    await submit(aSmallJob());
    const first = await node.assigned();
    takeDisconnect(farm(), node.id, node.connection);
    await advance(30_000);
    const other = await world().node();
    const second = await other.assigned();
    expect(second.fence.counter).toBeGreaterThan(first.fence.counter);
    expect(await noteStart(farm(), node.id, first.fence)).toBe("stale");
    expect(await report(node, aReport(first))).toBe("ok");
    expect(await report(other, aReport(second))).toBe("ok");
  });
});

describe("a lost node", () => {
  test("keeps its task until it has been silent for too long", async () => {
    const node = await world().node();
    const jobId = await submit(aSmallJob());
    await node.assigned();
    takeDisconnect(farm(), node.id, node.connection);
    await advance(29_999);
    expect(world().tasks(jobId)).toEqual(["src facts running"]);
    await advance(1);
    expect(world().tasks(jobId)).toEqual(["src facts ready"]);
    expect(stored(farm()).tasks(jobId)).toMatchObject([{ retry_nr: 0, losses: 1 }]);
  });

  test("that is silent on an open connection is hung up and given nothing more", async () => {
    const node = await world().node();
    const jobId = await submit(aSmallJob());
    await node.assigned();
    await advance(30_000);
    await advance(1_000);
    await advance(1_000);
    expect(await node.take()).toEqual([]);
    expect(node.state.isClosed).toBe(true);
    expect(stored(farm()).tasks(jobId)).toMatchObject([{ state: "ready", losses: 1 }]);
  });

  test("is remembered as last heard in whole milliseconds, as the store wants them", async () => {
    const node = await world().node();
    await advance(1000.4);
    await takeMessage(farm(), node.id, { type: "heartbeat" });
    await advance(1000.4);
    takeDisconnect(farm(), node.id, node.connection);
    await turns();
    expect(stored(farm()).node(node.id)).toMatchObject({ lastSeen: testStart + 1000 });
  });

  test("is not waited for by a heartbeat that comes in time", async () => {
    const node = await world().node();
    const jobId = await submit(aSmallJob());
    await node.assigned();
    for (let beat = 0; beat < 10; beat += 1) {
      await advance(5_000);
      await takeMessage(farm(), node.id, { type: "heartbeat" });
    }
    expect(world().tasks(jobId)).toEqual(["src facts running"]);
  });

  test("costs a task its life after ten losses and one", async () => {
    const node = await world().node();
    const jobId = await submit(aSmallJob());
    let current = node;
    for (let loss = 1; loss <= 11; loss += 1) {
      await current.assigned();
      takeDisconnect(farm(), node.id, current.connection);
      await advance(30_000);
      if (loss < 11) current = world().connect(node.id);
    }
    expect(world().job(jobId)).toMatchObject({ status: "failed" });
    expect(world().job(jobId)?.error).toContain("Its node was lost 11 times");
  });

  test("with a grant is waited for longer; then the next attempt starts from the intent", async () => {
    const node = await world().node();
    const { jobId, copy } = await toCopy(node);
    await grantCommit(farm(), node.id, copy.fence, anIntent(copy));
    takeDisconnect(farm(), node.id, node.connection);
    await advance(599_000);
    expect(world().tasks(jobId).at(-1)).toBe("copy work committing");
    await advance(1_000);
    expect(world().tasks(jobId).at(-1)).toBe("copy work ready");
    const next = await (await world().node()).assigned();
    expect(next.previousIntent).toEqual(anIntent(copy));
  });

  test("after it had published leaves the next attempt nothing to ask: what it finds published is taken", async () => {
    const node = await world().node();
    const { jobId, copy } = await toCopy(node);
    await grantCommit(farm(), node.id, copy.fence, anIntent(copy));
    takeDisconnect(farm(), node.id, node.connection);
    await advance(600_000);
    const other = await world().node();
    expect(await report(other, aReport(await other.assigned()))).toBe("ok");
    expect(world().job(jobId)).toMatchObject({ status: "completed" });
  });
});

describe("a node that comes back", () => {
  const key = "right";
  const helloOf = async (node: FakeNode, attempts: Assignment[]) => {
    await rekey(farm(), node.id, hashSecret(new Secret(key)));
    const held = attempts.map(({ fence, taskId }) => ({ fence, taskId, state: "running" as const }));
    return aHello({ credentials: { nodeId: node.id, nodeKey: key }, attempts: held });
  };
  const comeBack = async (node: FakeNode, attempts: Assignment[]) => {
    const { heard, connection } = aRecordingConnection();
    await admitNode(farm(), { useJoinToken: () => "wrong" }, await helloOf(node, attempts), connection);
    await turns();
    return heard;
  };

  test("with its attempt goes on with it", async () => {
    const node = await world().node();
    const jobId = await submit(aSmallJob());
    const probe = await node.assigned();
    const heard = await comeBack(node, [probe]);
    expect(heard).toMatchObject([{ type: "welcome", nodeId: node.id, keep: [probe.fence], nodeKey: undefined }]);
    expect(await report(node, aReport(probe))).toBe("ok");
    expect(world().job(jobId)).toMatchObject({ status: "completed" });
  });

  test("at the moment at which it is given up is told to drop what the next attempt does", async () => {
    const node = await world().node();
    await submit(aSmallJob());
    const probe = await node.assigned();
    takeDisconnect(farm(), node.id, node.connection);
    await world().clock.advance(30_000);
    const { heard, connection } = aRecordingConnection();
    const givenUp = runDuties(farm());
    await admitNode(farm(), { useJoinToken: () => "wrong" }, await helloOf(node, [probe]), connection);
    await givenUp;
    await turns();
    expect(heard).toMatchObject([
      { type: "welcome", keep: [] },
      { type: "assign", assignment: { taskId: probe.taskId } },
    ]);
  });

  test("without its attempt may be the third whose agent this task ended: no other node is given the poison", async () => {
    const jobId = await submit(aSmallJob());
    for (let death = 1; death <= 3; death += 1) {
      const node = await world().node();
      await node.assigned();
      await comeBack(node, []);
      await advance(30_000); // it is given the task once more, and stays silent
    }
    expect(world().tasks(jobId)).toEqual(["src facts failed"]);
    expect(world().job(jobId)?.error).toContain("The agents of 3 nodes ended while they ran this task");
    expect(stored(farm()).tasks(jobId)).toMatchObject([{ failure: { cause: "media" } }]);
  });

  test("without its attempt, again and again, is no proof against the task", async () => {
    const jobId = await submit(aSmallJob());
    const node = await world().node();
    await node.assigned();
    for (let death = 1; death <= 4; death += 1) await comeBack(node, []);
    expect(world().tasks(jobId)).toEqual(["src facts running"]);
  });

  test("without its attempt is given the task anew", async () => {
    const node = await world().node();
    await submit(aSmallJob());
    const probe = await node.assigned();
    const heard = await comeBack(node, []);
    expect(heard.map(({ type }) => type)).toEqual(["welcome", "assign"]);
    expect(heard).toMatchObject([{ keep: [] }, { assignment: { taskId: probe.taskId } }]);
    expect(await noteStart(farm(), node.id, probe.fence)).toBe("stale");
  });
});

test("a node that says goodbye gives back its tasks and is offered them no more", async () => {
  const node = await world().node();
  const jobId = await submit(aSmallJob());
  await node.assigned();
  await takeMessage(farm(), node.id, { type: "goodbye" });
  expect(await node.take()).toEqual([]);
  expect(stored(farm()).tasks(jobId)).toMatchObject([{ state: "ready", losses: 1 }]);
  await (await world().node()).assigned();
});

test("a goodbye leaves what was granted to be published", async () => {
  const node = await world().node();
  const { jobId, copy } = await toCopy(node);
  await grantCommit(farm(), node.id, copy.fence, anIntent(copy));
  await takeMessage(farm(), node.id, { type: "goodbye" });
  expect(world().tasks(jobId).at(-1)).toBe("copy work committing");
});

describe("a restart", () => {
  test("loses nothing, and the epoch is higher", async () => {
    const node = await world().node();
    const { jobId, copy } = await toCopy(node);
    const waiting = await submit(aSmallJob({ task_tags: ["later"] }));
    const before = farm().epoch;
    await restart();
    expect(farm().epoch).toBeGreaterThan(before);
    expect(world().tasks(jobId)).toEqual(["src facts completed", "copy work running"]);
    expect(
      farm()
        .registry.runningOn(node.id)
        .map(({ fence }) => fence),
    ).toEqual([copy.fence]);
    expect(farm().ready.size()).toBe(1);
    world().connect(node.id);
    expect(await grantCommit(farm(), node.id, copy.fence, anIntent(copy))).toBe("ok");
    expect(await report(node, aReport(copy))).toBe("ok");
    expect(world().job(jobId)).toMatchObject({ status: "completed" });
    expect(world().job(waiting)).toMatchObject({ status: "queued" });
  });

  test("remembers who waits out a delay", async () => {
    const node = await world().node();
    await submit(withRetry(1));
    await report(node, aFailure(await node.assigned()));
    await restart();
    expect(farm().delayed.size).toBe(1);
    await advance(60_000);
    await world().connect(node.id).assigned();
  });

  test("does not count against a task whose node stays away", async () => {
    const node = await world().node();
    const jobId = await submit(aSmallJob());
    await node.assigned();
    await restart();
    await advance(30_000);
    expect(stored(farm()).tasks(jobId)).toMatchObject([{ state: "ready", losses: 0 }]);
  });
});
