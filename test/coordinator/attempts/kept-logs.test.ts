import { expect, test } from "vitest";
import { takeDisconnect, takeMessage } from "../../../coordinator/connections/messages.ts";
import { stopJob } from "../../../coordinator/jobs/stop.ts";
import { taskHandlers } from "../../../coordinator/routes/tasks.ts";
import type { Assignment } from "../../../shared/protocol/messages.ts";
import { aReport, aSmallJob } from "../../helpers/farm/farm.ts";
import { type FakeNode, useFarm } from "../../helpers/farm/farm-story.ts";

const { world, farm, submit, report, advance } = useFarm();

const logOf = async ({ taskId }: Assignment) =>
  (await taskHandlers(farm()).getTaskLog({ task_id: String(taskId) })).items.map(({ state, log }) => [state, log]);
const end = (node: FakeNode, { fence }: Assignment, log: string) =>
  takeMessage(farm(), node.id, { type: "ended", fence, log });

test("a stopped job keeps the logs of what ran", async () => {
  const node = await world().node();
  const jobId = await submit(aSmallJob());
  const assignment = await node.assigned();
  await stopJob(farm(), jobId, { by: "Olga" });
  await end(node, assignment, "$ probe\nhalf done\n");
  expect(await logOf(assignment)).toEqual([["cancelled", "$ probe\nhalf done\n"]]);
});

test("an attempt that its owner gave back, or whose node was lost and came back, keeps its log", async () => {
  const node = await world().node();
  await submit(aSmallJob());
  const assignment = await node.assigned();
  const { fence } = assignment;
  await takeMessage(farm(), node.id, { type: "returned", fence, why: "in use" });
  await end(node, assignment, "given back here\n");
  const [first] = await farm().store.jobs.logs(assignment.taskId);
  expect([first?.state, first?.log]).toEqual(["lost", "given back here\n"]);
});

test("a node that is switched off leaves the logs of what it ran", async () => {
  const node = await world().node();
  await submit(aSmallJob());
  const assignment = await node.assigned();
  await end(node, assignment, "as far as it came\n");
  await takeMessage(farm(), node.id, { type: "goodbye" });
  takeDisconnect(farm(), node.id, node.connection);
  expect((await logOf(assignment))[0]).toEqual(["lost", "as far as it came\n"]);
});

test("a reported log stays as it was reported, and nobody writes into another node's log", async () => {
  const [node, other] = [await world().node(), await world().node({ slots: 0 })];
  await submit(aSmallJob());
  const assignment = await node.assigned();
  await end(other, assignment, "not mine\n");
  await report(node, aReport(assignment, { log: "mine\n" }));
  await end(node, assignment, "something else\n");
  expect((await logOf(assignment))[0]?.[1]).toBe("mine\n");
});

const half = { percent: 42, speed: 1.25 };
const halfDone = async () => {
  const node = await world().node();
  const jobId = await submit(aSmallJob());
  const assignment = await node.assigned();
  await takeMessage(farm(), node.id, { type: "progress", fence: assignment.fence, progress: half });
  await advance(2000); // pages hear of progress a moment later
  return { node, jobId, assignment };
};

test("a lost attempt keeps how far it came, and how fast it was when it was last heard of", async () => {
  const { node, assignment } = await halfDone();
  await takeMessage(farm(), node.id, { type: "returned", fence: assignment.fence, why: "in use" });
  await end(node, assignment, "half done\n");
  const [first] = await farm().store.jobs.logs(assignment.taskId);
  expect(first).toMatchObject({ state: "lost", stats: { reached: half }, log: "half done\n" });
});

test("a stopped attempt tells the same, and no cost", async () => {
  const { node, jobId, assignment } = await halfDone();
  await stopJob(farm(), jobId, { by: "Olga" });
  await end(node, assignment, "half done\n");
  const { items } = await taskHandlers(farm()).getTaskLog({ task_id: String(assignment.taskId) });
  expect(items).toMatchObject([{ state: "cancelled", cost: null, reached: half, log: "half done\n" }]);
});
