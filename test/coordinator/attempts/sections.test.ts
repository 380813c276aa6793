import { expect, test } from "vitest";
import { ratio } from "../../../shared/basics/rational.ts";
import type { MediaFacts } from "../../../shared/model/asset.ts";
import { aConnection, aJob, aReport, aSource } from "../../helpers/farm/farm.ts";
import { useFarm } from "../../helpers/farm/farm-story.ts";
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
const aNode = (name: string, build: string, slots: number) =>
  world().node({
    ...{ name, slots },
    tools: { ffmpeg: { path: "ffmpeg", version: "7", build }, ffprobe: null, capabilities },
  });

test("sections go to nodes with one build of ffmpeg: that of most slots", async () => {
  const small = await aNode("small", "other", 1);
  const elements = [aSource(), transcode];
  const jobId = await submit(aJob({ payload: { elements, connections: [aConnection("src", ["tc"])] } }));
  const probe = await small.assigned();
  await aNode("big", "usual", 4);
  const uri = Object.values(probe.work.assets)[0]?.uri ?? "";
  const file = { uri, size: 1000, modified: 5, facts };
  const found = Object.fromEntries(probe.work.steps.map(({ id }) => [id, { unchanged: false, tool: "t", file }]));
  await report(small, aReport(probe, { outcome: { outcome: "published", published: { outputs: {}, found } } }));
  const sections = stored(farm())
    .tasks(jobId)
    .filter(({ uid }) => uid.includes("_seg#"));
  expect(
    sections.map(({ uid, purpose, state, requires }) => [
      uid,
      purpose,
      state,
      requires.filter((each) => /^build:/.test(each)),
    ]),
  ).toEqual([
    ["tc_seg#000", "stage", "running", ["build:usual"]],
    ["tc_seg#001", "stage", "running", ["build:usual"]],
  ]);
  expect(
    farm()
      .values.openAttempts()
      .map(({ node_id }) => farm().registry.row(node_id)?.profile.name),
  ).toEqual([...["big", "big"]]);
});
