import { expect, test } from "vitest";
import { takeMessage } from "../../../coordinator/connections/messages.ts";
import { locateMedia } from "../../../coordinator/files/media-files.ts";
import { afterBreach, isTooManyBreaches, mostBreaches } from "../../../coordinator/nodes/health/health-rules.ts";
import { buildNodeInfo } from "../../../coordinator/nodes/node-info.ts";
import { takePollAnswer } from "../../../coordinator/watch/polling.ts";
import type { AgentMessage, Assignment } from "../../../shared/protocol/messages.ts";
import { filesCapability } from "../../../shared/protocol/node-files.ts";
import { aConnection, aCopy, aJob, anIntent, aReport, aSmallJob, aSource } from "../../helpers/farm/farm.ts";
import { type FakeNode, useFarm } from "../../helpers/farm/farm-story.ts";

const { world, farm, submit, report } = useFarm();

const healthOf = ({ id }: FakeNode) => {
  const row = farm().registry.row(id);
  return row && buildNodeInfo(farm(), row).health;
};
const quarantined = (how: string) => ({ state: "quarantined", why: expect.stringContaining(how) });

/** An honest node that works on a job of its own, and a liar beside it. */
const beside = async () => {
  const honest = await world().node({ name: "honest", tags: ["honest"] });
  const jobId = await submit(aSmallJob({ task_tags: ["honest"] }));
  const assignment = await honest.assigned();
  const liar = await world().node({ name: "liar", tags: ["liar"] });
  return { honest, liar, jobId, assignment };
};

type About = (assignment: Assignment) => Exclude<AgentMessage, { type: "hello" }>;

test.each<[string, About]>([
  ["started", ({ fence }) => ({ type: "started", fence })],
  ["progress", ({ fence }) => ({ type: "progress", fence, progress: { percent: 99 } })],
  ["returned", ({ fence }) => ({ type: "returned", fence, why: "so" })],
  ["commit", ({ fence }) => ({ type: "commit", fence, intent: { files: [] } })],
  ["report", (assignment) => ({ type: "report", report: aReport(assignment) })],
  ["log", ({ fence }) => ({ type: "log", fence, from: 0, left: 0, text: "lies" })],
  ["request_keys", ({ fence }) => ({ type: "request_keys", fence })],
])("a node that sends %s for another one's attempt changes nothing, and is quarantined", async (type, about) => {
  const { honest, liar, jobId, assignment } = await beside();
  for (let nr = 0; nr < mostBreaches; nr += 1) await takeMessage(farm(), liar.id, about(assignment));
  await expect.poll(() => healthOf(liar)).toMatchObject(quarantined(`it sent "${type}" about another node's attempt`));
  expect([healthOf(honest)?.state, farm().progress.job(jobId) ?? 0]).toEqual(["sound", 0]);
  expect(await report(honest, aReport(assignment))).toBe("ok");
  expect(world().job(jobId)).toMatchObject({ status: "completed" });
});

test("a node that speaks of attempts yet to come, or answers what it was not asked, is quarantined", async () => {
  const { liar } = await beside();
  const fence = { epoch: farm().epoch + 1, counter: 1 };
  await takeMessage(farm(), liar.id, { type: "started", fence });
  await takeMessage(farm(), liar.id, { type: "polled", id: 1, response: { what: "sources", saw: {} } });
  await takeMessage(farm(), liar.id, { type: "response", id: 1, response: { is: "found", paths: [] } });
  await expect.poll(() => healthOf(liar)).toMatchObject(quarantined("a question that it was not asked"));
});

test("a node whose intents and reports name what is not its own is quarantined", async () => {
  const liar = await world().node({ slots: 4 });
  for (let nr = 0; nr < mostBreaches; nr += 1) {
    const elements = [aSource(), aCopy()];
    await submit(aJob({ payload: { elements, connections: [aConnection("src", ["copy"])] } }));
    await report(liar, aReport(await liar.assigned()));
    const copy = await liar.assigned();
    const files = anIntent(copy).files.map((file) => ({ ...file, temp: "file:///media/in.mov" }));
    await takeMessage(farm(), liar.id, { type: "commit", fence: copy.fence, intent: { files } });
    await liar.take();
  }
  await expect.poll(() => healthOf(liar)).toMatchObject(quarantined("asked to publish file:///media/in.mov"));
});

test("a node that answers pieces of another length is quarantined", async () => {
  const liar = await world().node({
    tools: { ffmpeg: null, ffprobe: null, capabilities: ["ffprobe", filesCapability] },
  });
  await submit(aSmallJob());
  const { taskId } = await liar.assigned();
  for (let nr = 0; nr < mostBreaches; nr += 1) {
    const found = locateMedia(farm(), taskId, { uri: "file:///media/in.mov", size: 5 }).catch(() => undefined);
    const asked = (await liar.take()).find(({ type }) => type === "request");
    if (asked?.type !== "request") throw new Error("it was asked nothing");
    const response = { is: "piece", size: 5, data: Buffer.from("longer").toString("base64") } as const;
    await takeMessage(farm(), liar.id, { type: "response", id: asked.id, response });
    await found;
  }
  await expect.poll(() => healthOf(liar)).toMatchObject(quarantined("6 bytes, and 0 were asked"));
});

test("a late answer, and a word about an attempt that is over, are no breach", async () => {
  const node = await world().node();
  await submit(aSmallJob());
  const assignment = await node.assigned();
  await report(node, aReport(assignment));
  for (let nr = 0; nr < 2 * mostBreaches; nr += 1) {
    await takeMessage(farm(), node.id, { type: "started", fence: assignment.fence });
    await takeMessage(farm(), node.id, { type: "report", report: aReport(assignment) });
    await takeMessage(farm(), node.id, { type: "inspected", fence: assignment.fence, seen: "ready" });
    await takePollAnswer(farm(), node.id, { type: "polled", id: 0, response: { what: "sources", saw: {} } });
  }
  await node.take();
  expect(healthOf(node)).toMatchObject({ state: "sound" });
});

test("breaches count for an hour", () => {
  const minute = 60_000;
  const spread = [0, 40, 80, 120].reduce<readonly number[]>((all, at) => afterBreach(all, at * minute), []);
  expect([spread, isTooManyBreaches(spread)]).toEqual([[80 * minute, 120 * minute], false]);
  const close = [0, 1, 59].reduce<readonly number[]>((all, at) => afterBreach(all, at * minute), []);
  expect(isTooManyBreaches(close)).toBe(true);
});
