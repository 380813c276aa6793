import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { grantCommit, takeReport } from "../../../coordinator/attempts/report.ts";
import { farmView } from "../../../shared/api/farm-view.ts";
import { type UiJob, uiJob } from "../../../shared/api/job-view.ts";
import type { AssetFile } from "../../../shared/model/asset.ts";
import type { Assignment } from "../../../shared/protocol/messages.ts";
import { openTestDoors, type TestDoors } from "../../helpers/farm/doors.ts";
import {
  aConnection,
  aCopy,
  aFailure,
  aFolder,
  aJob,
  aReport,
  aSource,
  removeFolder,
  someFacts,
  waitingFor,
} from "../../helpers/farm/farm.ts";
import { aTranscodeTo } from "../../helpers/farm/job-builders.ts";
import { submitJob } from "../../helpers/farm/submit-job.ts";

let folder: string;
let doors: TestDoors;
let viewer: string;

beforeEach(async () => {
  folder = aFolder();
  doors = await openTestDoors(folder);
  viewer = await doors.enter("viewer");
});

afterEach(async () => {
  await doors.close();
  removeFolder(folder);
});

/** What the page reads, checked against its schema to the last field. */
const view = async (id: number, query = ""): Promise<UiJob> => {
  const { status, body } = await doors.ask("GET", `/jobs/${id}${query}`, viewer);
  expect(status).toBe(200);
  return uiJob.parse(body);
};

type Node = Awaited<ReturnType<TestDoors["node"]>>;

/** The node asks to publish these files as one output of its work, and hands them in. */
const publish = async (node: Node, assignment: Assignment, output: string, files: AssetFile[]): Promise<void> => {
  const granted = files.map(({ uri, size = 0 }) => {
    const existing = assignment.work.outputs[output]?.existing ?? "fail";
    return { output, temp: waitingFor(uri, assignment.fence), final: uri, size, identity: "id", existing };
  });
  await grantCommit(doors.farm, node.id, assignment.fence, { files: granted });
  const outcome = { outcome: "published", published: { outputs: { [output]: files }, found: {} } } as const;
  await takeReport(doors.farm, node.id, aReport(assignment, { outcome }));
};

const video = { index: 0, codec: "h264", timeBase: { num: 1, den: 25 }, width: 1920, height: 1080 };
const withVideo = { ...someFacts, video: [{ ...video, frameRate: { num: 25, den: 1 } }] };
const time = "2026-11-01T00:00:00.000Z";
const connections = [{ from: ["src"], success: ["copy"], error: [] }];

describe("the page of a job", () => {
  test("shows a job that runs: its graph, its tasks and where they are", async () => {
    const node = await doors.node({ name: "edit-3" });
    const id = await submitJob(doors.farm, aJob({ unknown_word: 1 }));
    const { taskId } = await node.assigned();
    doors.farm.progress.setTask(id, taskId, { percent: 41.5, fps: 50, speed: 2, frame: 7 });
    const seen = await view(id);
    expect(seen).toEqual({
      info: expect.objectContaining({ id: String(id), name: "a job", status: "active", substatus: "running" }),
      warnings: [expect.stringContaining("unknown_word")],
      elements: [
        {
          uid: "src",
          kind: "source",
          title: "Source",
          name: expect.any(String),
          state: "planning",
          failure: null,
          instances: null,
        },
        {
          uid: "copy",
          kind: "copy",
          title: "Copy",
          name: expect.any(String),
          state: "waiting",
          failure: null,
          instances: null,
        },
      ],
      connections,
      task_counts: { queued: 0, running: 1, completed: 0, failed: 0, stopped: 0 },
      tasks: [
        {
          ...{ id: String(taskId), name: expect.any(String), kind: "source", status: "running", progress: 41 },
          ...{ creation_time: time, start_time: time, end_time: null, machine_uid: "1", error: null },
          ...{
            uid: expect.any(String),
            element_uid: "src",
            path: "",
            purpose: "facts",
            retry_nr: 0,
            losses: 0,
            cause: null,
          },
          progress_detail: { percent: 41.5, fps: 50, speed: 2 },
          node: "edit-3",
        },
      ],
      outputs: [],
      happening: {
        running: { tasks: 1, nodes: ["edit-3"], node_count: 1, speed: 2 },
        ...{ waiting: null, retry: null, held: null, last_action: null },
      },
      finish: null,
      turn: null,
      history: [],
    });
  });

  test("shows what a finished job made, with the files in words", async () => {
    const node = await doors.node();
    const id = await submitJob(doors.farm, aJob());
    await takeReport(doors.farm, node.id, aReport(await node.assigned()));
    const copy = await node.assigned();
    const [output = ""] = Object.keys(copy.work.outputs);
    const files = [{ uri: "file:///out/in.mov", size: 1000, facts: withVideo }];
    await publish(node, copy, output, files);
    const { info, tasks, task_counts, elements, outputs } = await view(id);
    expect([info.status, info.progress, tasks.length, task_counts.completed]).toEqual(["completed", 100, 2, 2]);
    expect(elements.map(({ state }) => state)).toEqual(["succeeded", "succeeded"]);
    expect(tasks.map(({ progress_detail, status }) => [status, progress_detail])).toEqual([
      ["completed", null],
      ["completed", null],
    ]);
    expect(outputs).toEqual([
      {
        version: copy.work.outputs[output]?.version,
        element_uid: "copy",
        file_count: 1,
        files: [{ uri: "file:///out/in.mov", size: 1000, summary: "h264 1920×1080 25 fps · 10 s" }],
      },
    ]);
  });

  test("lists the first 200 files of a version in their order, and counts all", async () => {
    const filters = ["scale", "setsar", "format", "setparams"].map((filter) => `filter:${filter}`);
    const capabilities = ["ffmpeg", "ffprobe", "encoder:mjpeg", "muxer:image2", ...filters];
    const node = await doors.node({ tools: { ffmpeg: null, ffprobe: null, capabilities } });
    const pictures = { codec: "jpeg", width: 320, image_sequence: {} };
    const transcode = aTranscodeTo("/out", [{ file_pattern: "%05d.jpg", video: pictures }]);
    const elements = [aSource(), transcode];
    const id = await submitJob(
      doors.farm,
      aJob({ payload: { elements, connections: [aConnection("src", ["transcode"])] } }),
    );
    await takeReport(doors.farm, node.id, aReport(await node.assigned(), { facts: withVideo }));
    const making = await node.assigned();
    const [output = ""] = Object.keys(making.work.outputs);
    const files = Array.from({ length: 1500 }, (_, index) => ({ uri: `file:///out/${index}.jpg`, size: index }));
    await publish(node, making, output, files);
    const [made] = (await view(id)).outputs;
    expect(made?.file_count).toBe(1500);
    expect(made?.files).toEqual(files.slice(0, 200).map((file) => ({ ...file, summary: "" })));
  });

  test("names the cause of a failure at the task and at its element", async () => {
    const node = await doors.node();
    const id = await submitJob(doors.farm, aJob());
    await takeReport(doors.farm, node.id, aFailure(await node.assigned()));
    const { info, tasks, elements, task_counts } = await view(id);
    expect([info.status, task_counts.failed]).toEqual(["failed", 1]);
    expect(tasks).toMatchObject([{ status: "failed", cause: "media", error: "media broke", node: "n1" }]);
    expect(elements).toMatchObject([
      { state: "failed", failure: { cause: "media", message: "media broke" } },
      { state: "skipped", failure: null },
    ]);
  });

  test("tells why a task that is tried again failed before, and forgets it once that went well", async () => {
    const node = await doors.node();
    const id = await submitJob(doors.farm, aJob({ task_retry: { count: 1, delay_sec: 0 } }));
    await takeReport(doors.farm, node.id, aFailure(await node.assigned()));
    expect((await view(id)).tasks).toMatchObject([{ status: "queued", cause: "media", retry_nr: 1 }]);
  });

  test("gives tasks a page at a time, and counts all of them", async () => {
    const sources = ["a", "b", "c", "d", "e"].map((uid) => aSource({ uid }));
    const elements = [...sources, aCopy()];
    const all = aConnection(["a", "b", "c", "d", "e"], ["copy"]);
    const id = await submitJob(doors.farm, aJob({ payload: { elements, connections: [all] } }));
    const page = await view(id, "?skip=1&take=2");
    expect(page.tasks.map(({ element_uid }) => element_uid)).toEqual(["b", "c"]);
    expect(page.task_counts).toEqual({ queued: 5, running: 0, completed: 0, failed: 0, stopped: 0 });
    expect((await view(id, "?take=100000")).tasks).toHaveLength(5);
    expect((await view(id, "?take=0")).tasks).toEqual([]);
    expect((await doors.ask("GET", `/jobs/${id}?take=-1`, viewer)).status).toBe(400);
  });

  test.each(["999", "abc", "1.5"])("of a job %s that there is not says so", async (id) => {
    const { status, body } = await doors.ask("GET", `/jobs/${id}`, viewer);
    expect([status, body.error]).toEqual([404, "NOT_FOUND"]);
  });
});

describe("the farm in numbers", () => {
  const read = async () => farmView.parse((await doors.ask("GET", "/farm", viewer)).body);

  test("counts jobs, nodes and tasks", async () => {
    const nothing = await read();
    expect(nothing).toEqual({
      ...{ host: "machine", version: "1.2.3", epoch: doors.farm.epoch, started: time, now: time },
      jobs: { queued: 0, active: 0, completed: 0, failed: 0 },
      nodes: {
        presence: { online: 0, late: 0, lost: 0, off: 0 },
        state: { active: 0, drain: 0, paused: 0, pending: 0 },
      },
      tasks: { running: 0, ready: 0, blocked: null },
      empty: null,
    });
    const node = await doors.node();
    await submitJob(doors.farm, aJob());
    await takeReport(doors.farm, node.id, aFailure(await node.assigned()));
    for (let more = 0; more < 4; more += 1) await submitJob(doors.farm, aJob());
    await node.take();
    await doors.clock.advance(doors.farm.config.lateMs);
    await (await doors.node()).take();
    const { jobs, nodes, tasks, now } = await read();
    expect(now).toBe("2026-11-01T00:00:10.000Z");
    expect(nodes).toEqual({
      presence: { online: 1, late: 1, lost: 0, off: 0 },
      state: { active: 2, drain: 0, paused: 0, pending: 0 },
    });
    expect(jobs).toEqual({ queued: 0, active: 4, completed: 0, failed: 1 });
    expect(tasks).toMatchObject({ running: 4, ready: 0 });
  });
});

test("people see a job's definition without what opens storage", async () => {
  const id = await submitJob(doors.farm, aJob({ comment: "for programs", extra: { access: { password: "secret" } } }));
  const { body } = await doors.ask("GET", `/jobs/${id}/definition`, viewer);
  expect(body).toMatchObject({ name: "a job", extra: { access: "(hidden)" } });
  expect(JSON.stringify(body)).not.toMatch(/secret|for programs/);
});
