import { describe, expect, test } from "vitest";
import {
  foldEvents,
  groupsOf,
  jobPagesAfter,
  jobsPerPage,
  jobViewAfter,
  nodesAfter,
} from "../../renderer/data/batch.ts";
import type { FarmEvent } from "../../shared/events.ts";
import type { JobInfo } from "../../shared/job-info.ts";
import type { UiJob, UiJobRow, UiTask } from "../../shared/job-view.ts";
import type { Node } from "../../shared/node.ts";

const time = "2026-11-21T10:00:00.000Z";

const aJob = (id: number, more: Partial<JobInfo> = {}): JobInfo => ({
  id: String(id),
  name: `job ${id}`,
  user_tag: null,
  priority: 100,
  status: "active",
  substatus: "running",
  progress: 10,
  creation_time: time,
  start_time: time,
  end_time: null,
  expiration_time: null,
  error: null,
  ...more,
});
const aRow = (id: number, more: Partial<JobInfo> = {}): UiJobRow => ({
  ...aJob(id, more),
  task_counts: { queued: 1, running: 1, completed: 0, failed: 0 },
});
const aTask = (id: string, more: Partial<UiTask> = {}): UiTask => ({
  id,
  uid: id,
  name: id,
  kind: "copy",
  element_uid: "copy",
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
const listOf = (...rows: UiJobRow[]) => ({ pages: [rows], pageParams: [0] });
const idsOf = ({ pages }: { pages: readonly (readonly UiJobRow[])[] }) => pages.flat().map(({ id }) => id);

describe("a list of jobs", () => {
  const active = { group: "active" } as const;

  test("takes the last word of each job, in its place", () => {
    const batch = foldEvents([jobChanged(aJob(2, { name: "old" })), jobChanged(aJob(2, { name: "new" }))]);
    const after = jobPagesAfter(listOf(aRow(3), aRow(2), aRow(1)), batch, active);
    expect(after.pages.flat().map(({ name }) => name)).toEqual(["job 3", "new", "job 1"]);
    expect(after.pages[0]?.[1]?.task_counts.running).toBe(1);
  });

  test("puts new jobs where their ids belong and drops those that moved on or were deleted", () => {
    const batch = foldEvents([
      jobChanged(aJob(9)),
      jobChanged(aJob(2)),
      jobChanged(aJob(3, { status: "completed", substatus: null })),
      { type: "job.deleted", job_id: "1" },
    ]);
    expect(idsOf(jobPagesAfter(listOf(aRow(3), aRow(1)), batch, active))).toEqual(["9", "2"]);
  });

  test("leaves to be loaded what lies beyond its loaded end", () => {
    const full = Array.from({ length: jobsPerPage }, (_, at) => aRow(1000 - at));
    const after = jobPagesAfter(listOf(...full), foldEvents([jobChanged(aJob(5)), jobChanged(aJob(1001))]), active);
    expect([idsOf(after)[0], idsOf(after).includes("5")]).toEqual(["1001", false]);
  });

  test("stays the same object where a batch does not touch it", () => {
    const list = listOf(aRow(3));
    const batch = foldEvents([progressed("3", "7", 10.9), { type: "node.changed", node: aNode("1") }]);
    expect(jobPagesAfter(list, batch, active)).toBe(list);
  });

  test("asks the same question of jobs that events bring as the coordinator did", () => {
    const found = { group: "active", state: "retrying", text: "RUSHES" } as const;
    const batch = foldEvents([
      jobChanged(aJob(1, { name: "the rushes", substatus: "retrying" })),
      jobChanged(aJob(2, { name: "the rushes" })),
      jobChanged(aJob(3, { substatus: "retrying" })),
    ]);
    expect(idsOf(jobPagesAfter({ pages: [], pageParams: [] }, batch, found))).toEqual(["1"]);
  });
});

describe("a job's page", () => {
  const view: UiJob = {
    info: aJob(1),
    warnings: [],
    elements: [],
    connections: [],
    task_counts: { queued: 2, running: 0, completed: 0, failed: 0 },
    tasks: [aTask("7"), aTask("8")],
    outputs: [],
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
    expect(after.task_counts).toEqual({ queued: 1, running: 1, completed: 0, failed: 0 });
    expect(after.info.progress).toBe(20);
  });

  test("stays the same object for other jobs' events", () => {
    expect(jobViewAfter(view, foldEvents([jobChanged(aJob(2)), progressed("2", "9", 50)]))).toBe(view);
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
  expect(foldEvents([jobChanged(aJob(1)), { type: "reset" }]).isReset).toBe(true);
});

describe("rows are read again", () => {
  const groupsAfter = (...events: FarmEvent[]) => groupsOf(foldEvents(events));

  test("in the group that a job came into, since no event says how its tasks stand", () => {
    expect(groupsAfter({ type: "job.changed", job: aJob(1, { status: "completed", substatus: null }) })).toEqual([
      "ended",
    ]);
    expect(groupsAfter({ type: "job.changed", job: aJob(1, { status: "queued", substatus: "waiting" }) })).toEqual([
      "queued",
    ]);
  });

  test("of jobs at work when one of their tasks changed, and not when one is gone or goes on", () => {
    const { cause: _cause, ...task } = aTask("1");
    expect(groupsAfter({ type: "task.changed", job_id: "1", task })).toEqual(["active"]);
    expect(groupsAfter({ type: "job.deleted", job_id: "1" })).toEqual([]);
    expect(groupsAfter()).toEqual([]);
  });
});
