import { expect, test } from "vitest";
import { takeDisconnect, takeMessage } from "../../../coordinator/connections/messages.ts";
import { revokeNode } from "../../../coordinator/connections/revoke-node.ts";
import { changeNode } from "../../../coordinator/nodes/change-node.ts";
import { noteBreach } from "../../../coordinator/nodes/health/breaches.ts";
import { mostBreaches } from "../../../coordinator/nodes/health/health-rules.ts";
import type { NodeProfile, NodeRow } from "../../../coordinator/store/rows.ts";
import { ratio } from "../../../shared/basics/rational.ts";
import type { Standing } from "../../../shared/lending/lending.ts";
import type { MediaFacts } from "../../../shared/model/asset.ts";
import { aConnection, aJob, aReport, aSource } from "../../helpers/farm/farm.ts";
import { type FakeNode, useFarm } from "../../helpers/farm/farm-story.ts";
import { stored } from "../../helpers/farm/stored.ts";

const { world, farm, submit, report } = useFarm();

const facts: MediaFacts = {
  ...{ format: "mov,mp4,m4a,3gp,3g2,mj2", start: ratio(0), duration: ratio(10), size: 1000, audio: [], others: [] },
  video: [
    {
      ...{ index: 0, codec: "h264", timeBase: ratio(1, 12800), start: ratio(0), duration: ratio(10), width: 640 },
      ...{ height: 360, pixelFormat: "yuv420p", frameRate: ratio(25), averageFrameRate: ratio(25), frames: 250 },
      ...{ pixelAspect: ratio(1), fieldOrder: "progressive" },
    },
  ],
};

const transcode = {
  uid: "tc",
  kind: "transcode",
  payload: {
    location: { path: "/out" },
    source_pipeline: { segmented_rendering: { duration_sec: 5 } },
    targets: [{ file_pattern: "x.mp4", video: { codec: "h264" } }],
  },
};

const capabilities = [
  ...["ffmpeg", "ffprobe", "encoder:libx264", "muxer:mp4", "filter:scale", "filter:setsar", "filter:format"],
  ...["filter:trim", "filter:null"],
];
const aNode = (name: string, build: string, slots: number, changes: Partial<NodeProfile> = {}) =>
  world().node({
    ...{ name, slots, ...changes },
    tools: { ffmpeg: { path: "ffmpeg", version: "7", build }, ffprobe: null, capabilities },
  });

/** The sections of a job that is planned once its source was probed; `before`: what happens until then. */
const planned = async (before: () => Promise<unknown>, changes: Record<string, unknown> = {}) => {
  const small = await aNode("small", "other", 1, { tags: ["mine"] });
  const elements = [aSource(), transcode];
  const jobId = await submit(aJob({ payload: { elements, connections: [aConnection("src", ["tc"])] }, ...changes }));
  const probe = await small.assigned();
  await before();
  const uri = Object.values(probe.work.assets)[0]?.uri ?? "";
  const file = { uri, size: 1000, modified: 5, facts };
  const found = Object.fromEntries(probe.work.steps.map(({ id }) => [id, { unchanged: false, tool: "t", file }]));
  await report(small, aReport(probe, { outcome: { outcome: "published", published: { outputs: {}, found } } }));
  return stored(farm())
    .tasks(jobId)
    .filter(({ uid }) => uid.includes("_seg#"));
};

const buildsOf = (sections: Awaited<ReturnType<typeof planned>>) =>
  sections.map(({ requires }) => requires.filter((each) => /^build:/.test(each)).join());

test("sections go to nodes with one build of ffmpeg: that of most slots", async () => {
  const sections = await planned(() => aNode("big", "usual", 4));
  expect(sections.map(({ uid, purpose, state }) => [uid, purpose, state])).toEqual([
    ["tc_seg#000", "stage", "running"],
    ["tc_seg#001", "stage", "running"],
  ]);
  expect(buildsOf(sections)).toEqual(["build:usual", "build:usual"]);
  expect(
    farm()
      .values.openAttempts()
      .map(({ node_id }) => farm().registry.row(node_id)?.profile.name),
  ).toEqual([...["big", "big"]]);
});

const awaitApproval = (id: number) =>
  farm().change([], (draft) => draft.setNode(draft.node(id) as NodeRow, { state: "pending" })); // it was just made
const away: Standing = { state: "busy", takes: false, why: "its owner works", until: null, isSuspended: false };

test.each<readonly [string, (node: FakeNode) => unknown]>([
  ["is off", ({ id, connection }) => takeDisconnect(farm(), id, connection)],
  ["is paused", ({ id }) => changeNode(farm(), id, { state: "paused" })],
  ["is to be emptied", ({ id }) => changeNode(farm(), id, { state: "drain" })],
  ["is its owner's", ({ id }) => takeMessage(farm(), id, { type: "heartbeat", standing: away })],
  ["waits for approval", ({ id }) => awaitApproval(id)],
  ["was revoked", ({ id }) => revokeNode(farm(), id)],
  [
    "was found out",
    async ({ id }) => {
      for (let nr = 0; nr < mostBreaches; nr += 1) await noteBreach(farm(), id, "lied");
    },
  ],
  ["was given fewer slots", ({ id }) => changeNode(farm(), id, { slots: 0 })],
])("a build of many slots whose node %s keeps no sections waiting", async (_what, spoil) => {
  const sections = await planned(async () => spoil(await aNode("big", "unusual", 1024)));
  expect(buildsOf(sections)).toEqual(["build:other", "build:other"]);
});

test.each<readonly [string, Partial<NodeProfile>]>([
  ["has not the job's tags", {}],
  ["reaches neither source nor target", { tags: ["mine"], roots: [] }],
])("a build of many slots whose node %s is not chosen", async (_what, changes) => {
  const sections = await planned(() => aNode("big", "unusual", 1024, changes), { task_tags: ["mine"] });
  expect(buildsOf(sections)).toEqual(["build:other", "build:other"]);
});

test("where no node works that could make the sections, they wait for the build of most slots that may come back", async () => {
  const sections = await planned(async () => {
    const big = await aNode("big", "usual", 4);
    await changeNode(farm(), big.id, { state: "paused" });
    const [small] = farm().registry.rows();
    if (small) await changeNode(farm(), small.id, { state: "paused" });
  });
  expect(buildsOf(sections)).toEqual(["build:usual", "build:usual"]);
});
