import { describe, expect, test } from "vitest";
import { changeNode } from "../../../coordinator/nodes/change-node.ts";
import { buildNodeInfo } from "../../../coordinator/nodes/node-info.ts";
import { unknownSender } from "../../../coordinator/store/rows.ts";
import { aFailure, aJob, aReport, aSmallJob, aSource } from "../../helpers/farm/farm.ts";
import { type FakeNode, useFarm } from "../../helpers/farm/farm-story.ts";
import { stored } from "../../helpers/farm/stored.ts";
import { submitJob } from "../../helpers/farm/submit-job.ts";

const { world, farm, submit, report, advance, restart } = useFarm();

const patient = { task_retry: { count: 5, delay_sec: 0 } };
const row = (node: FakeNode) => farm().registry.row(node.id);
const health = (node: FakeNode) => {
  const found = row(node);
  return found && buildNodeInfo(farm(), found).health;
};
const minutes = (count: number) => count * 60_000;

/** Time passes while both are heard. */
const hear = (...nodes: FakeNode[]) => {
  for (const { id } of nodes) farm().registry.heard(id, world().clock.monotonic());
};
const pass = async (ms: number, ...nodes: FakeNode[]) => {
  for (let passed = 0; passed < ms; passed += 10_000) {
    await advance(Math.min(10_000, ms - passed));
    hear(...nodes);
  }
};

/** A light task of its own job, that only this node is free for. */
const runsOn = async (node: FakeNode, tag: string) => {
  const jobId = await submit(aSmallJob({ task_tags: [tag] }));
  return { jobId, assignment: await node.assigned() };
};

/** Four jobs fail on a node while another node succeeds. */
const quarantine = async (bad: FakeNode, good: FakeNode) => {
  for (let nr = 0; nr < 4; nr += 1) {
    await report(bad, aFailure((await runsOn(bad, "bad")).assignment, "resources"));
    await report(good, aReport((await runsOn(good, "good")).assignment));
  }
};

const twoNodes = async () => {
  const bad = await world().node({ name: "bad", tags: ["bad", "both"] });
  const good = await world().node({ name: "good", tags: ["good", "both"] });
  return { bad, good };
};

describe("a task that failed for a cause of its node", () => {
  test("runs again on another one, although the first is free", async () => {
    const first = await world().node();
    await submit(aSmallJob(patient));
    const assignment = await first.assigned();
    const second = await world().node();
    await report(first, aFailure(assignment, "resources"));
    await pass(minutes(1), first, second);
    expect([await first.take(), (await second.assigned()).taskId]).toEqual([[], assignment.taskId]);
  });

  test("runs again on the same one where no other node works", async () => {
    const only = await world().node();
    await submit(aSmallJob(patient));
    const assignment = await only.assigned();
    await report(only, aFailure(assignment, "resources"));
    await pass(minutes(1), only);
    expect((await only.assigned()).taskId).toBe(assignment.taskId);
  });

  test("still avoids it after the coordinator was started again", async () => {
    const first = await world().node();
    const jobId = await submit(aSmallJob(patient));
    await report(first, aFailure(await first.assigned(), "resources"));
    await restart();
    const [task] = stored(farm()).tasks(jobId);
    expect(farm().health.avoidedBy(jobId, task?.id ?? 0)).toEqual([first.id]);
  });
});

test("a job whose tasks fail three times on a node takes all of its waiting tasks elsewhere", async () => {
  const sources = [..."abcdefgh"].map((uid) => aSource({ uid, payload: aSourceOf(uid) }));
  const first = await world().node({ name: "first" });
  await submit(aJob({ payload: { elements: sources, connections: [] }, ...patient }));
  let failed = 0;
  while (failed < 3) {
    for (const assignment of await assignedTo(first)) {
      await report(first, aFailure(assignment, "resources"));
      failed += 1;
    }
  }
  const held = await assignedTo(first);
  const second = await world().node({ name: "second" });
  for (const assignment of held) await report(first, aReport(assignment));
  expect(await assignedTo(first)).toEqual([]);
  expect(await assignedTo(second)).toHaveLength(sources.length - failed - held.length);
});

const assignedTo = async (node: FakeNode) =>
  (await node.take()).flatMap((message) => (message.type === "assign" ? [message.assignment] : []));

const aSourceOf = (uid: string) => ({
  kind: "asset_url",
  payload: { storage_provider: "file", url: `file:///media/${uid}.mov` },
});

describe("a node that keeps failing where others do not", () => {
  test("is quarantined: it is shown so, says why, and is given nothing", async () => {
    const { bad, good } = await twoNodes();
    await quarantine(bad, good);
    expect(health(bad)).toEqual({
      state: "quarantined",
      until: "2026-11-01T00:10:00.000Z",
      why: "It kept failing tasks of several jobs while other nodes succeeded",
    });
    await submit(aSmallJob({ task_tags: ["both"] }));
    expect([await bad.take(), (await good.assigned()).name]).toEqual([[], "a job - src"]);
    expect(health(good)).toEqual({ state: "sound", until: null, why: null });
  });

  test("is quarantined for what it did before a restart of the coordinator, and after it", async () => {
    const { bad, good } = await twoNodes();
    for (let nr = 0; nr < 3; nr += 1) {
      await report(bad, aFailure((await runsOn(bad, "bad")).assignment, "resources"));
      await report(good, aReport((await runsOn(good, "good")).assignment));
    }
    await restart();
    const [again] = [await world().connect(bad.id), await world().connect(good.id)];
    await report(again, aFailure((await runsOn(again, "bad")).assignment, "resources"));
    expect(health(again)?.state).toBe("quarantined");
  });

  test("is not quarantined for what it was forgiven before a restart", async () => {
    const { bad, good } = await twoNodes();
    for (let nr = 0; nr < 3; nr += 1) {
      await report(bad, aFailure((await runsOn(bad, "bad")).assignment, "resources"));
      await report(good, aReport((await runsOn(good, "good")).assignment));
    }
    await changeNode(farm(), bad.id, { state: "active" });
    await restart();
    const [again] = [await world().connect(bad.id), await world().connect(good.id)];
    await report(again, aFailure((await runsOn(again, "bad")).assignment, "resources"));
    expect(health(again)?.state).toBe("sound");
  });

  test("is not quarantined for failures before its last success, also when that was before a restart", async () => {
    const { bad, good } = await twoNodes();
    for (let nr = 0; nr < 3; nr += 1) {
      await report(bad, aFailure((await runsOn(bad, "bad")).assignment, "resources"));
    }
    await report(bad, aReport((await runsOn(bad, "bad")).assignment));
    await report(good, aReport((await runsOn(good, "good")).assignment));
    await restart();
    const [again] = [await world().connect(bad.id), await world().connect(good.id)];
    await report(again, aFailure((await runsOn(again, "bad")).assignment, "resources"));
    expect(health(again)?.state).toBe("sound");
  });

  test("stays so over a restart of the coordinator", async () => {
    const { bad, good } = await twoNodes();
    await quarantine(bad, good);
    await restart();
    expect(row(bad)?.health).toMatchObject({ state: "quarantined", strikes: 1 });
  });

  test("is tried with one task when the time is over, and trusted again when that goes well", async () => {
    const { bad, good } = await twoNodes();
    await quarantine(bad, good);
    await pass(minutes(10), bad, good);
    expect(health(bad)?.state).toBe("probation");
    await submit(aSmallJob({ task_tags: ["bad"] }));
    await submit(aSmallJob({ task_tags: ["bad"] }));
    const trial = await bad.assigned();
    expect(farm().ready.size()).toBe(1);
    await report(bad, aReport(trial));
    expect(health(bad)?.state).toBe("sound");
    await bad.assigned();
  });

  test("is quarantined for twice as long when it fails that one", async () => {
    const { bad, good } = await twoNodes();
    await quarantine(bad, good);
    await pass(minutes(10), bad, good);
    await report(bad, aFailure((await runsOn(bad, "bad")).assignment, "resources"));
    expect(health(bad)).toEqual({
      state: "quarantined",
      until: "2026-11-01T00:30:00.000Z",
      why: "It failed again when it was tried with one task",
    });
  });

  test("is not judged on probation by bad media", async () => {
    const { bad, good } = await twoNodes();
    await quarantine(bad, good);
    await pass(minutes(10), bad, good);
    await report(bad, aFailure((await runsOn(bad, "bad")).assignment, "media"));
    expect(health(bad)?.state).toBe("probation");
  });

  test.each([0, 10])("is trusted again at once when an operator makes it active (after %i minutes)", async (after) => {
    const { bad, good } = await twoNodes();
    await quarantine(bad, good);
    await pass(minutes(after), bad, good);
    await changeNode(farm(), bad.id, { state: "active" });
    expect(health(bad)).toEqual({ state: "sound", until: null, why: null });
    await report(bad, aFailure((await runsOn(bad, "bad")).assignment, "resources"));
    expect(health(bad)?.state).toBe("sound");
  });

  test("is not quarantined where it is alone", async () => {
    const bad = await world().node({ tags: ["bad"] });
    for (let nr = 0; nr < 8; nr += 1) {
      await report(bad, aFailure((await runsOn(bad, "bad")).assignment, "resources"));
    }
    expect(health(bad)?.state).toBe("sound");
  });
});

test("a task that failed for its node's sake on three nodes speaks against itself: no node is blamed for it", async () => {
  const nodes = [await world().node(), await world().node(), await world().node()];
  await submit(aSmallJob(patient));
  for (let failed = 0; failed < 3; failed += 1) {
    const taken = await Promise.all(nodes.map(async (node) => ({ node, given: await assignedTo(node) })));
    for (const { node, given } of taken)
      for (const assignment of given) await report(node, aFailure(assignment, "resources"));
    await pass(minutes(2), ...nodes);
  }
  expect(nodes.map(({ id }) => farm().health.reputation(id).failures)).toEqual([[], [], []]);
});

describe("a node on which one sender's jobs fail, while others' do well elsewhere", () => {
  const runs = async (owner_id: string, node: FakeNode, tag: string, changes: object = {}) => {
    const sender = { ...unknownSender, owner_id };
    await submitJob(farm(), aSmallJob({ task_tags: [tag], ...changes }), undefined, { sender, reach: "all" });
    return node.assigned();
  };
  const failsAll = async ({ bad, good }: Awaited<ReturnType<typeof twoNodes>>) => {
    for (let nr = 0; nr < 8; nr += 1) {
      await report(bad, aFailure(await runs("mallory", bad, "bad"), "storage"));
      await report(good, aReport(await runs("alice", good, "good")));
    }
  };

  test("works on for the others, also after a restart, until one of theirs fails as well", async () => {
    const { bad, good } = await twoNodes();
    await failsAll({ bad, good });
    expect(health(bad)?.state).toBe("sound");
    await restart();
    const nodes = { bad: world().connect(bad.id), good: world().connect(good.id) };
    await failsAll(nodes);
    expect(health(bad)?.state).toBe("sound");
    await report(nodes.bad, aFailure(await runs("alice", nodes.bad, "bad"), "storage"));
    expect(health(bad)?.state).toBe("quarantined");
  });

  test("is quarantined where the same tasks go well on another node", async () => {
    const { bad, good } = await twoNodes();
    await report(good, aReport(await runs("alice", good, "good")));
    for (let nr = 0; nr < 4; nr += 1) {
      await report(bad, aFailure(await runs("mallory", bad, "both", patient), "resources"));
      await pass(minutes(1), bad, good);
      await report(good, aReport(await good.assigned()));
      await report(good, aReport(await runs("alice", good, "good")));
    }
    expect(health(bad)?.state).toBe("quarantined");
  });
});
