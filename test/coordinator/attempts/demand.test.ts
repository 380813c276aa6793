import { expect, test } from "vitest";
import { explain } from "../../../coordinator/views/explain.ts";
import { ratio } from "../../../shared/basics/rational.ts";
import type { MediaFacts } from "../../../shared/model/asset.ts";
import { aConnection, aJob, aReport, aSource } from "../../helpers/farm/farm.ts";
import { type FakeNode, useFarm } from "../../helpers/farm/farm-story.ts";
import { stored } from "../../helpers/farm/stored.ts";

const { world, farm, submit, report } = useFarm();

const facts = (width: number, height: number): MediaFacts => ({
  ...{ format: "mov,mp4,m4a,3gp,3g2,mj2", start: ratio(0), duration: ratio(10), size: 1000, audio: [], others: [] },
  video: [
    {
      ...{ index: 0, codec: "h264", timeBase: ratio(1, 12800), start: ratio(0), duration: ratio(10), width, height },
      ...{ pixelFormat: "yuv420p", frameRate: ratio(25), averageFrameRate: ratio(25), frames: 250 },
      ...{ pixelAspect: ratio(1), fieldOrder: "progressive" },
    },
  ],
});

const transcode = {
  uid: "tc",
  kind: "transcode",
  payload: { location: { path: "/out" }, targets: [{ file_pattern: "x.mp4", video: { codec: "h264" } }] },
};
const tools = {
  ...{ ffmpeg: null, ffprobe: null },
  capabilities: [
    ...["ffmpeg", "ffprobe", "encoder:libx264", "muxer:mp4", "filter:split", "filter:scale", "filter:setsar"],
    ...["filter:format", "filter:null", "filter:fps", "filter:setpts", "filter:trim"],
  ],
};
const aNode = (name: string, memory: number, slots = 2, cores = 8) =>
  world().node({ name, slots, tools, machine: { cpu: "test", cores, memory, os: "test" } });

/** A job whose source is found to be of that size; its transcode is planned then. */
const submitOf = async (node: FakeNode, width: number, height: number) => {
  const elements = [aSource(), transcode];
  const jobId = await submit(aJob({ payload: { elements, connections: [aConnection("src", ["tc"])] } }));
  const probe = await node.assigned();
  const uri = Object.values(probe.work.assets)[0]?.uri ?? "";
  const file = { uri, size: 1000, modified: 5, facts: facts(width, height) };
  const found = Object.fromEntries(probe.work.steps.map(({ id }) => [id, { unchanged: false, tool: "t", file }]));
  await report(node, aReport(probe, { outcome: { outcome: "published", published: { outputs: {}, found } } }));
  return jobId;
};

const why = (jobId: number) => {
  const row = stored(farm()).tasks(jobId).at(-1);
  if (!row) throw new Error("there is no task");
  return explain(farm(), row, "all");
};

test("a 4K transcode waits for a node with the memory for it, and says so of the one that lacks it", async () => {
  const small = await aNode("small", 2e9);
  const jobId = await submitOf(small, 3840, 2160);
  const waiting = why(jobId);
  const big = await aNode("big", 16e9);
  expect(waiting.nodes).toEqual([
    {
      node_id: String(small.id),
      name: "small",
      reasons: [
        {
          reason: "too_small",
          message: expect.stringMatching(/memory/),
          data: { room: "memory", wanted: 2_560_000_000, has: 2_000_000_000 },
        },
      ],
    },
  ]);
  expect([await small.take(), (await big.assigned()).name]).toEqual([[], "a job - tc"]);
});

test("an HD transcode goes to the small node", async () => {
  const small = await aNode("small", 2e9);
  await submitOf(small, 1920, 1080);
  expect((await small.assigned()).name).toBe("a job - tc");
});

test("HD transcodes fill a node's memory before its slots, and explain says so", async () => {
  const node = await aNode("node", 2e9, 4);
  await submitOf(node, 1920, 1080);
  await node.take();
  await submitOf(node, 1920, 1080);
  await node.take();
  const third = await submitOf(node, 1920, 1080);
  expect(why(third).nodes[0]?.reasons).toMatchObject([
    { reason: "no_room", data: { room: "memory", wanted: 768_000_000, free: 464_000_000 } },
  ]);
});

test("a 4K transcode takes as many slots as stand for its cores", async () => {
  const node = await aNode("node", 64e9, 4, 8);
  await submitOf(node, 3840, 2160);
  await node.take();
  await submitOf(node, 3840, 2160);
  await node.take();
  const third = await submitOf(node, 3840, 2160);
  expect(why(third).nodes[0]?.reasons).toMatchObject([{ reason: "no_slot", data: { wanted: 2, free: 0 } }]);
});
