import { describe, expect, test } from "vitest";
import { foldEvents, jobPageAfter, jobViewAfter, nodesAfter } from "../../../renderer/data/batch.ts";
import type { FarmEvent } from "../../../shared/api/events.ts";
import type { UiJob, UiJobRow, UiTask } from "../../../shared/api/job-view.ts";
import type { JobInfo } from "../../../shared/model/job-info.ts";
import type { Node } from "../../../shared/model/node.ts";
import { aJobInfo, aJobRow } from "../../helpers/pages/job-row.ts";

const time = "2026-11-21T10:00:00.000Z";

const quiet = { running: null, waiting: null, retry: null, held: null, last_action: null };

const aTask = (id: string, more: Partial<UiTask> = {}): UiTask => ({
  id,
  uid: id,
  name: id,
  kind: "copy",
  element_uid: "copy",
  path: "",
  purpose: "work",
  status: "queued",
  progress: 0,
  creation_time: time,
  start_time: null,
  end_time: null,
  machine_uid: null,
  error: null,
  cause: null,
  retry_nr: 0,
  losses: 0,
  node: null,
  progress_detail: null,
  ...more,
});
const aNode = (id: string, running: Node["running"] = []): Node => ({
  id,
  name: `node ${id}`,
  state: "active",
  presence: "online",
  health: { state: "sound", until: null, why: null },
  tags: [],
  group: null,
  slots: 2,
  running,
  lending: null,
  platform: "posix",
  machine: { cpu: "", cores: 1, memory: 1, os: "" },
  ffmpeg: null,
  roots: [],
  mounts: [],
  version: "0.1.0",
  clock_offset: 0,
  enrolled: time,
  last_seen: time,
});
const jobChanged = (job: JobInfo): FarmEvent => ({ type: "job.changed", job });
const progressed = (jobId: string, taskId: string, percent: number, jobProgress = percent): FarmEvent => ({
  type: "task.progress",
  job_id: jobId,
  task_id: taskId,
  job_progress: jobProgress,
  progress: { percent },
});
const pageOf = (...items: UiJobRow[]) => ({ items, count: items.length, groups: [] });

describe("a page of a list of jobs", () => {
  test("takes the last word of each job, in its place, and moves no row", () => {
    const batch = foldEvents([
      jobChanged(aJobInfo(2, { name: "old" })),
      jobChanged(aJobInfo(2, { name: "new", status: "completed", substatus: null })),
      jobChanged(aJobInfo(9)),
      { type: "job.deleted", job_id: "1" },
    ]);
    const after = jobPageAfter(pageOf(aJobRow(3), aJobRow(2), aJobRow(1)), batch);
    expect(after.items.map(({ name }) => name)).toEqual(["job 3", "new", "job 1"]);
    expect([after.count, after.items[1]?.task_counts.running]).toEqual([3, 1]);
  });

  test("follows progress", () => {
    const after = jobPageAfter(pageOf(aJobRow(3)), foldEvents([progressed("3", "7", 50.9)]));
    expect(after.items[0]?.progress).toBe(50);
  });

  test("stays the same object where a batch does not touch it", () => {
    const page = pageOf(aJobRow(3));
    const batch = foldEvents([progressed("3", "7", 10.9), { type: "node.changed", node: aNode("1") }]);
    expect(jobPageAfter(page, batch)).toBe(page);
  });
});

describe("a job's page", () => {
  const view: UiJob = {
    info: aJobInfo(1),
    warnings: [],
    elements: [],
    connections: [],
    task_counts: { queued: 2, running: 0, completed: 0, failed: 0, stopped: 0 },
    tasks: [aTask("7"), aTask("8")],
    outputs: [],
    ...{ happening: quiet, finish: null, turn: null, history: [] },
  };

  test("moves counts with its tasks and shows progress that came after the change", () => {
    const { purpose: _purpose, ...rest } = aTask("7", { status: "running" });
    const batch = foldEvents([
      progressed("1", "7", 3),
      { type: "task.changed", job_id: "1", task: rest },
      progressed("1", "7", 41.6, 20.8),
    ]);
    const after = jobViewAfter(view, batch);
    expect(after.tasks.map(({ status, progress }) => [status, progress])).toEqual([
      ["running", 41],
      ["queued", 0],
    ]);
    expect(after.task_counts).toEqual({ queued: 1, running: 1, completed: 0, failed: 0, stopped: 0 });
    expect(after.info.progress).toBe(20);
  });

  test("is as fast as its running tasks say, and so is its row in the list", () => {
    const running = { tasks: 1, nodes: ["a"], node_count: 1, speed: 1 };
    const going = { ...view, tasks: [aTask("7", { status: "running" })], happening: { ...quiet, running } };
    const [first, ...others] = [progressed("1", "7", 3)];
    if (first?.type !== "task.progress") throw new Error("no progress");
    const batch = foldEvents([{ ...first, progress: { ...first.progress, speed: 2.5 } }, ...others]);
    expect(jobViewAfter(going, batch).happening.running?.speed).toBe(2.5);
    const row = aJobRow(1, { happening: { ...quiet, running } });
    expect(jobPageAfter({ items: [row], count: 1, groups: [] }, batch).items[0]?.happening.running?.speed).toBe(2.5);
    const two = aJobRow(1, { happening: { ...quiet, running: { ...running, tasks: 2 } } });
    expect(jobPageAfter({ items: [two], count: 1, groups: [] }, batch).items[0]?.happening.running?.speed).toBe(1);
  });

  test("stays the same object for other jobs' events", () => {
    expect(jobViewAfter(view, foldEvents([jobChanged(aJobInfo(2)), progressed("2", "9", 50)]))).toBe(view);
  });
});

test("nodes come in the order of their ids and follow their tasks' progress", () => {
  const nodes = [aNode("2", [{ task_id: "7", job_id: "1", name: "copy", progress: 0 }]), aNode("11")];
  const batch = foldEvents([{ type: "node.changed", node: aNode("9") }, progressed("1", "7", 55)]);
  const after = nodesAfter(nodes, batch);
  expect(after.map(({ id, running }) => [id, running[0]?.progress])).toEqual([
    ["2", 55],
    ["9", undefined],
    ["11", undefined],
  ]);
  expect(nodesAfter(nodes, foldEvents([]))).toBe(nodes);
});

test("a reset is kept, whatever came with it", () => {
  expect(foldEvents([jobChanged(aJobInfo(1)), { type: "reset" }]).isReset).toBe(true);
});
