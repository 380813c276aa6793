import { expect, test } from "vitest";
import { grantCommit } from "../../../../coordinator/attempts/report.ts";
import { takeMessage } from "../../../../coordinator/connections/messages.ts";
import { stopJob } from "../../../../coordinator/jobs/stop.ts";
import { jobResult } from "../../../../coordinator/views/result/result.ts";
import { ratio } from "../../../../shared/basics/rational.ts";
import type { MediaFacts } from "../../../../shared/model/asset.ts";
import type { Assignment } from "../../../../shared/protocol/messages.ts";
import { aConnection, aCopy, aFailure, aJob, anIntent, aReport, aSource } from "../../../helpers/farm/farm.ts";
import { type FakeNode, useFarm } from "../../../helpers/farm/farm-story.ts";
import { strictResult } from "../../../helpers/farm/strict-result.ts";
import { at, copyStats, expectedResult, firstError, lastError, version } from "./expected-result.ts";

const { world, farm, submit, report, advance, pass } = useFarm();

/** Compared whole: a field more or less is a change of the API. */
const expectResult = async (id: number, ending: Parameters<typeof expectedResult>[0]): Promise<void> => {
  const job = await farm().store.jobs.report(id);
  if (!job) throw new Error("there is no such job");
  const result = JSON.parse(JSON.stringify(await jobResult(farm(), job, "person 1")));
  expect(strictResult.safeParse(result).error?.issues ?? []).toEqual([]);
  // Each farm has a secret of its own, and keys are made from it.
  const subscription_key = expect.stringMatching(/^1\.[\w-]+\.[\w-]{43}$/);
  expect(result).toEqual(expectedResult({ ...ending, job: { subscription_key, ...ending.job } }));
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
  const probe = await node.assigned();
  await advance(1000);
  await report(node, probed(probe));
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
  await expectResult(id, {
    errors: [firstError],
    job: {
      ...{ status: "active", substatus: "running", render_status: "active", progress: 66, expiration_time: null },
      ...{ last_times_updated: at("09.000"), last_completed: null },
      ...{ hint_active_time_sec: 14, hint_machine_time_sec: 2 },
    },
    copy: { status: "running", completed: null },
    lastRun: { state: "assigned", completed: null },
  });
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
  await expectResult(id, {
    errors: [firstError],
    job: {
      ...{ status: "completed", substatus: null, render_status: "completed", progress: 100 },
      ...{ expiration_time: "2026-11-01T01:00:16.500Z", last_times_updated: at("16.500") },
      ...{ last_completed: at("16.500"), hint_active_time_sec: 17, hint_machine_time_sec: 4 },
    },
    copy: { status: "completed", completed: at("16.500") },
    lastRun: { state: "published", completed: at("16.500"), duration_sec: 8, stats: copyStats },
    made: [version("/out", 1_790_000_020_457, at("16.500"))],
  });
});

/** Of a job that ended without its copy. */
const failedJob = {
  ...{ status: "failed", render_status: "failed", progress: 33, expiration_time: "2026-11-01T01:00:14.000Z" },
  ...{ last_times_updated: at("14.000"), last_completed: at("14.000"), hint_active_time_sec: 14 },
};
const failedCopy = { status: "failed", completed: at("14.000") };
const failedRun = { completed: at("14.000"), duration_sec: 5 };

test("a failed job's result is this document", async () => {
  const node = await world().node();
  const { id, copy } = await toSecondRun(node);
  const failure = {
    ...{ cause: "storage" as const, message: "no room at ftp://u:hush@host/out", exitCode: 1 },
    ...{ argv: ["ffmpeg", "-i", "ftp://u:hush@host/in.mov"], stderr: "No space left on device" },
  };
  await report(node, aReport(copy, { outcome: { outcome: "failed", failure }, stats, log: "$ ffmpeg" }));
  await expectResult(id, {
    errors: [
      firstError,
      {
        ...{ ...lastError, result_define: "SYS_TSK_STORAGE_ERROR", cause: "storage", exit_code: 1 },
        ...{ message: "no room at ftp://u:(hidden)@host/out", details: "No space left on device" },
        diagnostic: "ffmpeg -i ftp://u:(hidden)@host/in.mov",
        advice: "Check the folder, its permissions and free space.",
      },
    ],
    job: { ...failedJob, substatus: null, hint_machine_time_sec: 4 },
    copy: failedCopy,
    lastRun: { ...failedRun, state: "failed", report: ["no room at ftp://u:(hidden)@host/out"], stats: copyStats },
  });
});

test("a stopped job's result is this document", async () => {
  const node = await world().node();
  const { id } = await toSecondRun(node);
  await stopJob(farm(), id);
  await expectResult(id, {
    errors: [
      firstError,
      {
        ...{ ...lastError, result_define: "SYS_TSK_CANCELLED", cause: "cancelled" },
        ...{ message: "The job was stopped", advice: "Somebody stopped it. A retry continues where it stopped." },
      },
    ],
    job: { ...failedJob, substatus: "stopped", hint_machine_time_sec: 2 },
    copy: failedCopy,
    lastRun: { ...failedRun, state: "cancelled", report: ["The job was stopped"] },
  });
});
