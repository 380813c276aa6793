import { join } from "node:path";
import { expect, test } from "vitest";
import { takeMessage } from "../../../coordinator/nodes/messages.ts";
import { grantCommit } from "../../../coordinator/work/report.ts";
import { jobResult } from "../../../coordinator/work/result/result.ts";
import { stopJob } from "../../../coordinator/work/stop.ts";
import type { MediaFacts } from "../../../shared/asset.ts";
import type { Assignment } from "../../../shared/protocol.ts";
import { ratio } from "../../../shared/rational.ts";
import { aConnection, aCopy, aFailure, aJob, anIntent, aReport, aSource } from "../../helpers/farm.ts";
import { type FakeNode, useFarm } from "../../helpers/farm-story.ts";
import { strictResult } from "../../helpers/strict-result.ts";

const { world, farm, submit, report, advance, pass } = useFarm();

/** Compared whole with the file of that name: `vitest -u` writes it anew, and the change is read in the diff. */
const expectResult = async (id: number, name: string): Promise<void> => {
  const job = await farm().store.jobs.report(id);
  if (!job) throw new Error("there is no such job");
  const text = `${JSON.stringify(jobResult(farm(), job), null, 2)}\n`;
  expect(strictResult.safeParse(JSON.parse(text)).error?.issues ?? []).toEqual([]);
  // Each farm has a secret of its own, and keys are made from it.
  const shown = text.replace(/("subscription_key": "\d+\.)[\w-]{43}"/, '$1…"');
  await expect(shown).toMatchFileSnapshot(join(import.meta.dirname, "golden", `result-${name}.txt`));
};

const film: MediaFacts = {
  ...{ format: "mov,mp4,m4a,3gp,3g2,mj2", start: ratio(0), duration: ratio(10), size: 1_000_000, bitRate: 800_000 },
  ...{ timecode: "01:00:00:00", others: [] },
  video: [
    {
      ...{ index: 0, id: 1, codec: "h264", profile: "High", level: 41, timeBase: ratio(1, 600), start: ratio(0) },
      ...{ duration: ratio(10), bitRate: 700_000, width: 720, height: 576, pixelFormat: "yuv420p", frames: 250 },
      ...{ frameRate: ratio(25), averageFrameRate: ratio(25), pixelAspect: ratio(16, 15), fieldOrder: "progressive" },
      ...{ hasBFrames: true, colorRange: "tv", encoder: "Lavc61 libx264" },
    },
  ],
  audio: [
    {
      ...{ index: 1, id: 2, codec: "aac", profile: "LC", timeBase: ratio(1, 48_000), start: ratio(0), channels: 2 },
      ...{ duration: ratio(1001, 100), bitRate: 96_000, layout: "stereo", sampleRate: 48_000, language: "eng" },
    },
  ],
};

const login = { username: "u", password: "hush" };
/** Its copy is tried twice. */
const theJob = () =>
  aJob({
    ...{ name: "Rushes", user_tag: "reel 7", priority: 120, expiration: 60, user_data: { mine: true } },
    task_retry: { count: 1, delay_sec: 5 },
    payload: {
      elements: [
        aSource({ task: { comment: "for programs", retry_method: "fail" } }),
        aCopy({ payload: { target: { location: { storage_provider: "file", path: "/out", access: login } } } }),
      ],
      connections: [aConnection("src", ["copy"])],
      surprise: 1,
    },
  });

const probed = (probe: Assignment) => {
  const file = { uri: probe.work.assets["0"]?.uri ?? "", size: 1_000_000, modified: 1_790_000_000_123.4, facts: film };
  const published = { outputs: {}, found: { probe_0: { unchanged: false, tool: "probe-1", file } } };
  return aReport(probe, { outcome: { outcome: "published", published }, stats: { wallMs: 40, cpuMs: 20 } });
};

const stats = { wallMs: 2000.4, cpuMs: 1000.2, peakMemory: 10_000_000 };

/** Up to the second run of the copy, with half of it done. */
const toSecondRun = async (node: FakeNode) => {
  const id = await submit(theJob());
  await advance(1000);
  await report(node, probed(await node.assigned()));
  await pass(node, 3);
  await report(node, { ...aFailure(await node.assigned(), "media"), stats });
  await pass(node, 10);
  const copy = await node.assigned();
  await takeMessage(farm(), node.id, { type: "progress", fence: copy.fence, progress: { percent: 50 } });
  return { id, copy };
};

test("a running job's result is this document", async () => {
  const node = await world().node();
  const { id } = await toSecondRun(node);
  await expectResult(id, "running");
});

test("a completed job's result is this document", async () => {
  const node = await world().node();
  const { id, copy } = await toSecondRun(node);
  await grantCommit(farm(), node.id, copy.fence, anIntent(copy));
  await advance(2500);
  const [output = ""] = Object.keys(copy.work.outputs);
  const made = { uri: "file:///out/in.mov", size: 1_000_000, modified: 1_790_000_020_456.7, facts: film };
  const published = { outputs: { [output]: [made] }, found: {} };
  await report(node, aReport(copy, { outcome: { outcome: "published", published }, stats }));
  await expectResult(id, "completed");
});

test("a failed job's result is this document", async () => {
  const node = await world().node();
  const { id, copy } = await toSecondRun(node);
  const failure = {
    ...{ cause: "storage" as const, message: "no room at ftp://u:hush@host/out", exitCode: 1 },
    ...{ argv: ["ffmpeg", "-i", "ftp://u:hush@host/in.mov"], stderr: "No space left on device" },
  };
  await report(node, aReport(copy, { outcome: { outcome: "failed", failure }, stats, log: "$ ffmpeg" }));
  await expectResult(id, "failed");
});

test("a stopped job's result is this document", async () => {
  const node = await world().node();
  const { id } = await toSecondRun(node);
  await stopJob(farm(), id);
  await expectResult(id, "stopped");
});
