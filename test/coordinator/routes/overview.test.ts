import { afterEach, beforeEach, expect, test } from "vitest";
import { takeReport } from "../../../coordinator/attempts/report.ts";
import { timeline, uiNode } from "../../../shared/api/node-view.ts";
import { overview } from "../../../shared/api/overview.ts";
import { openTestDoors, type TestDoors } from "../../helpers/farm/doors.ts";
import { aFailure, aFolder, aJob, aReport, aSmallJob, removeFolder } from "../../helpers/farm/farm.ts";
import { submitJob } from "../../helpers/farm/submit-job.ts";

let folder: string;
let doors: TestDoors;
let operator: string;

beforeEach(async () => {
  folder = aFolder();
  doors = await openTestDoors(folder);
  operator = await doors.enter("operator", "Mira");
});
afterEach(async () => {
  await doors.close();
  removeFolder(folder);
});

const ask = async (method: "GET" | "POST" | "PUT", path: string, body?: object) =>
  (await doors.ask(method, path, operator, body)).body;

test("the overview says what failed, what waits, what is held and by whom, and how fast work goes", async () => {
  const node = await doors.node({ name: "rack-01", slots: 1 });
  const failing = await submitJob(doors.farm, aSmallJob({ name: "bad" }));
  await takeReport(doors.farm, node.id, aFailure(await node.assigned()));
  await submitJob(doors.farm, aSmallJob({ name: "good" }));
  await takeReport(doors.farm, node.id, aReport(await node.assigned()));
  await submitJob(doors.farm, aSmallJob({ name: "runs" }));
  await submitJob(doors.farm, aSmallJob({ name: "waits", task_tags: ["uhd"] }));
  const held = await submitJob(doors.farm, aJob({ name: "held" }));
  await ask("PUT", `/jobs/${held}/pause`, { note: "new end card comes" });
  await doors.clock.advance(1000);
  const seen = overview.parse(await ask("GET", "/overview"));
  expect(seen.failed.map(({ id, name }) => [id, name])).toEqual([[String(failing), "bad"]]);
  expect(seen.failures).toMatchObject([
    { cause: "media", message: "media broke", count: 1, recovered: 0, job_count: 1, nodes: ["rack-01"] },
  ]);
  expect(seen.throughput.last_hour).toBe(1);
  expect(seen.oldest_ready).toMatchObject({ job: "waits" });
  expect(seen.waits[0]).toBe(1);
  expect(seen.held).toMatchObject([
    { name: "held", happening: { last_action: { who: "Mira", action: "pause", note: "new end card comes" } } },
  ]);
  expect([seen.active_count, seen.active.map(({ name }) => name)]).toEqual([1, ["runs"]]);
});

test("the list of jobs says what each does: a node and its speed, or why it waits", async () => {
  const node = await doors.node({ name: "rack-01", slots: 1 });
  const jobId = await submitJob(doors.farm, aSmallJob({ name: "runs" }));
  const { taskId } = await node.assigned();
  doors.farm.progress.setTask(jobId, taskId, { percent: 40, speed: 1.5 });
  await submitJob(doors.farm, aSmallJob({ name: "waits", task_tags: ["uhd"] }));
  const { items, count } = await ask("GET", "/jobs?sort=name&order=asc");
  expect(count).toBe(2);
  expect(items.map(({ happening }: { happening: object }) => happening)).toMatchObject([
    { running: { tasks: 1, nodes: ["rack-01"], speed: 1.5 }, waiting: null },
    { running: null, waiting: { message: expect.stringContaining("uhd") } },
  ]);
});

test("a node's page says what it can, what it did and what was asked of it; the timeline has its bars", async () => {
  const node = await doors.node({ name: "rack-01", slots: 1 });
  await submitJob(doors.farm, aSmallJob());
  await takeReport(doors.farm, node.id, aFailure(await node.assigned()));
  await ask("PUT", `/nodes/${node.id}`, { state: "drain", note: "new disk" });
  await doors.clock.advance(1000);
  const view = uiNode.parse(await ask("GET", `/nodes/${node.id}`));
  expect(view).toMatchObject({
    ...{ node: { name: "rack-01", state: "drain" }, capabilities: ["ffmpeg", "ffprobe"], done: 0, failed: 1 },
    ...{ failures: [{ message: "media broke" }], history: [{ who: "Mira", action: "drain", note: "new disk" }] },
  });
  const { nodes, is_cut } = timeline.parse(await ask("GET", "/timeline?hours=1"));
  expect([is_cut, nodes[0]?.bars.map(({ state, lane, message }) => [state, lane, message])]).toEqual([
    false,
    [["failed", 0, "media broke"]],
  ]);
  expect((await ask("GET", "/history")).items).toMatchObject([
    { action: "drain", who: "Mira", node_id: String(node.id) },
    { action: "submit", who: "", job_id: "1" },
  ]);
});

test("what a program does is noted too, and goes with its job", async () => {
  const id = await submitJob(doors.farm, aSmallJob());
  const headers = await doors.enterAsProgram();
  await doors.inject({ method: "PUT", url: `/v1/jobs/${id}/stop`, headers, payload: {} });
  await doors.inject({ method: "POST", url: `/v1/jobs/${id}/retry`, headers, payload: {} });
  await doors.clock.advance(1000);
  const { history } = await ask("GET", `/jobs/${id}`);
  expect(history.map(({ action, who }: { action: string; who: string }) => [action, who])).toEqual([
    ["retry", "command line"],
    ["stop", "command line"],
  ]);
  await doors.inject({ method: "DELETE", url: `/v1/jobs/${id}`, headers });
  expect((await ask("GET", "/history")).items).toEqual([]);
});

test("the history holds no action that was refused, also among many", async () => {
  const [one, other] = [await submitJob(doors.farm, aSmallJob()), await submitJob(doors.farm, aSmallJob())];
  await ask("PUT", `/jobs/${one}/stop`);
  const { items } = await ask("POST", "/jobs/actions", { action: "retry", ids: [String(one), String(other)] });
  expect(items.map(({ success }: { success: boolean }) => success)).toEqual([true, false]);
  await doors.clock.advance(1000);
  const history = (await ask("GET", "/history")).items as { action: string; job_id: string }[];
  expect(history.filter(({ action }) => action === "retry").map(({ job_id }) => job_id)).toEqual([String(one)]);
});

test("what somebody looks after is told to everybody, with the reason, until its time or until it is taken back", async () => {
  const in8h = new Date(doors.clock.now() + 8 * 3_600_000).toISOString();
  const subjects = ["node 3 lost 2026-11-01T10:00:00.000Z", "node 4 lost 2026-11-01T10:00:00.000Z"];
  const put = (body: object, who = operator) => doors.ask("POST", "/acknowledgements", who, body);
  expect((await put({ subjects, until: in8h, why: "new switch" })).status).toBe(200);
  const seen = async () => overview.parse(await ask("GET", "/overview")).acknowledged;
  const told = { who: "Mira", until: in8h, why: "new switch", at: expect.any(String) };
  expect(await seen()).toEqual(subjects.map((subject) => ({ subject, ...told })));
  await put({ subjects: subjects.slice(0, 1), until: null });
  expect((await seen()).map(({ subject }) => subject)).toEqual(subjects.slice(1));
  await doors.clock.advance(8 * 3_600_000 + 1);
  expect(await seen()).toEqual([]);
  const past = await put({ subjects, until: new Date(doors.clock.now()).toISOString() });
  const far = await put({ subjects, until: new Date(doors.clock.now() + 40 * 86_400_000).toISOString() });
  expect([past.status, far.body.message]).toEqual([400, "until must be within the next 31 days"]);
  expect((await put({ subjects, until: null }, await doors.enter("viewer"))).status).toBe(403);
});
