import { describe, expect, test } from "vitest";
import { takeDisconnect } from "../../../coordinator/connections/messages.ts";
import { pauseJob } from "../../../coordinator/jobs/pause.ts";
import { updateJob } from "../../../coordinator/jobs/update.ts";
import { changeNode } from "../../../coordinator/nodes/change-node.ts";
import { putComputeGroup, setTagLimits } from "../../../coordinator/nodes/compute-groups.ts";
import { explain } from "../../../coordinator/views/explain.ts";
import { aFailure, aReport, aSmallJob } from "../../helpers/farm/farm.ts";
import { useFarm, withRetry } from "../../helpers/farm/farm-story.ts";
import { stored } from "../../helpers/farm/stored.ts";

const { world, farm, submit, report } = useFarm();

const why = (jobId: number) => {
  const [row] = stored(farm()).tasks(jobId);
  if (!row) throw new Error("no task");
  return explain(farm(), row, "all");
};
const reasonsOf = (jobId: number) =>
  why(jobId).nodes.map(({ name, reasons }) => [name, reasons.map(({ reason }) => reason)]);
const tagged = (...task_tags: string[]) => aSmallJob({ task_tags });

describe("a task that waits says", () => {
  test("that a node of an earlier version does not know secrets in a container's environment", async () => {
    const abilities = ["ffprobe", "container"];
    await world().node({ name: "old", tools: { ffmpeg: null, ffprobe: null, capabilities: abilities } });
    const commands = [{ docker_image: { image_urn: "tool" }, env: { TOKEN: "a secret" } }];
    const payload = { commands, memory_mb: 100 };
    const tool = { uid: "tool", kind: "script", payload: { kind: "docker", payload } };
    const jobId = await submit({ name: "a job", payload: { elements: [tool], connections: [] } });
    expect(why(jobId).nodes).toMatchObject([
      { name: "old", reasons: [{ reason: "missing_capability", data: { capability: "container:secret-env" } }] },
    ]);
  });

  test("what each node lacks, what none provides, and when it gives up", async () => {
    await world().node({ name: "plain" });
    await world().node({ name: "gpu", tags: ["gpu"], tools: { ffmpeg: null, ffprobe: null, capabilities: [] } });
    const jobId = await submit(tagged("gpu"));
    expect(why(jobId)).toEqual({
      task_id: "1",
      job_id: "1",
      name: "a job - src",
      is_waiting: true,
      summary:
        'No node of the farm provides ffprobe, tag "gpu" together; unless one joins it fails at 2026-11-01T00:01:00.000Z.',
      summary_parts: [expect.objectContaining({ reason: "nobody_can", nodes: 0 })],
      reasons: [
        {
          reason: "nobody_can",
          message:
            'No node of the farm provides ffprobe, tag "gpu" together; unless one joins it fails at 2026-11-01T00:01:00.000Z',
          data: { lacking: 'ffprobe, tag "gpu" together', until: "2026-11-01T00:01:00.000Z" },
        },
      ],
      node_count: 2,
      nodes: [
        {
          node_id: "1",
          name: "plain",
          reasons: [{ reason: "missing_tag", message: 'Does not provide the tag "gpu"', data: { tag: "gpu" } }],
        },
        {
          node_id: "2",
          name: "gpu",
          reasons: [{ reason: "missing_capability", message: "Has no ffprobe", data: { capability: "ffprobe" } }],
        },
      ],
    });
  });

  test("that nodes are away, paused, draining or busy", async () => {
    const [away, paused, draining, busy] = [
      await world().node({ name: "away" }),
      await world().node({ name: "paused" }),
      await world().node({ name: "draining" }),
      await world().node({ name: "busy" }),
    ];
    takeDisconnect(farm(), away.id, away.connection);
    await changeNode(farm(), paused.id, { state: "paused" });
    await changeNode(farm(), draining.id, { state: "drain" });
    for (let nr = 0; nr < 2; nr += 1) await submit(aSmallJob());
    await busy.take();
    expect(farm().registry.runningOn(busy.id)).toHaveLength(2);
    const jobId = await submit(aSmallJob());
    expect(reasonsOf(jobId)).toEqual([
      ["away", ["offline"]],
      ["paused", ["node_paused"]],
      ["draining", ["node_draining"]],
      ["busy", ["no_light_slot"]],
    ]);
    expect(why(jobId).summary).toBe(
      "All slots for light tasks on 1 node are busy; 1 node is not connected; 1 node is paused; 1 node is draining.",
    );
  });

  test("how many tasks go before it", async () => {
    await world().node({ name: "busy" });
    for (let nr = 0; nr < 5; nr += 1) await submit(aSmallJob());
    const jobId = await submit(aSmallJob());
    expect(why(jobId).reasons).toEqual([{ reason: "ahead", message: "3 tasks go before it", data: { count: 3 } }]);
    expect(why(jobId).summary).toBe("All slots for light tasks on 1 node are busy. 3 tasks go before it.");
  });

  test("that its job is paused, or starts later", async () => {
    const [paused, later] = [await submit(aSmallJob()), await submit(aSmallJob())];
    await pauseJob(farm(), paused);
    await updateJob(farm(), later, { start_after: Date.parse("2026-11-01T05:00:00Z") });
    await world().node();
    expect([why(paused).summary, why(later).summary]).toEqual([
      "Its job is paused.",
      "Its job starts after 2026-11-01T05:00:00.000Z.",
    ]);
  });

  test("that it waits out a retry's delay", async () => {
    const node = await world().node();
    const jobId = await submit(withRetry(1));
    await report(node, aFailure(await node.assigned()));
    expect(why(jobId).summary).toBe("It failed and is tried again at 2026-11-01T00:01:00.000Z.");
    await pauseJob(farm(), jobId);
    expect(why(jobId).reasons.map(({ reason }) => reason)).toEqual(["retry_delay", "job_paused"]);
  });

  test("that the farm's limit of a tag is reached", async () => {
    await setTagLimits(farm(), [{ tag: "licence", most: 1 }]);
    const node = await world().node({ tags: ["licence"] });
    await submit(tagged("licence"));
    await node.assigned();
    expect(why(await submit(tagged("licence"))).summary).toBe(
      'The farm runs at most 1 tasks with the tag "licence" at a time, and 1 run.',
    );
  });

  test("that a group takes only other tasks", async () => {
    await putComputeGroup(farm(), { name: "g", provided_tags: [], mandatory_tags: ["watch"] });
    const node = await world().node({ name: "small" });
    await changeNode(farm(), node.id, { group: "g" });
    expect(reasonsOf(await submit(aSmallJob()))).toEqual([["small", ["mandatory_tag"]]]);
  });

  test("that it avoids the node on which it failed", async () => {
    const first = await world().node({ name: "first" });
    const jobId = await submit(aSmallJob({ task_retry: { count: 1, delay_sec: 0 } }));
    const assignment = await first.assigned();
    await world().node({ name: "second" });
    await report(first, aFailure(assignment, "resources"));
    expect(reasonsOf(jobId)).toEqual([
      ["second", []],
      ["first", ["avoided"]],
    ]);
    expect(why(jobId).summary).toBe("It failed and is tried again at 2026-11-01T00:00:30.000Z.");
  });

  test("that the farm has no nodes", async () => {
    expect(why(await submit(aSmallJob())).summary).toBe("The farm has no nodes.");
  });
});

test("a task that runs says where, one that ended says how", async () => {
  const node = await world().node({ name: "worker" });
  const jobId = await submit(aSmallJob());
  const assignment = await node.assigned();
  expect(why(jobId)).toMatchObject({ is_waiting: false, summary: "It runs on worker.", nodes: [] });
  await report(node, aReport(assignment));
  expect(why(jobId)).toMatchObject({ is_waiting: false, summary: "It has ended: completed.", nodes: [] });
});

test("a node whose roots and mounts do not cover a source is never offered the task, and explain says so", async () => {
  const far = await world().node({ name: "far", roots: ["/other"] });
  const near = await world().node({ name: "near", roots: ["/media"], slots: 0, mounts: [] });
  await near.take();
  await changeNode(farm(), near.id, { state: "paused" });
  const jobId = await submit(aSmallJob());
  await world().clock.advance(0);
  expect((await far.take()).filter(({ type }) => type === "assign")).toEqual([]);
  const reasons = Object.fromEntries((await why(jobId))?.nodes.map(({ name, reasons }) => [name, reasons]) ?? []);
  expect(reasons.far).toEqual([
    {
      ...{ reason: "out_of_reach", message: "No root or mount of it covers file:///media" },
      data: { prefix: "file:///media" },
    },
  ]);
  expect(reasons.near).toMatchObject([{ reason: "node_paused" }]);
});
