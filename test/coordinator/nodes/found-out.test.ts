import { expect, test } from "vitest";
import { grantCommit } from "../../../coordinator/attempts/report.ts";
import { takeDisconnect, takeMessage } from "../../../coordinator/connections/messages.ts";
import { revokeNode } from "../../../coordinator/connections/revoke-node.ts";
import { nodesWithFiles, trustedWith, tryEntry } from "../../../coordinator/files/node-files.ts";
import { isBelieved } from "../../../coordinator/nodes/believed.ts";
import { changeNode } from "../../../coordinator/nodes/change-node.ts";
import { noteBreach } from "../../../coordinator/nodes/health/breaches.ts";
import { mostBreaches, mostReturns } from "../../../coordinator/nodes/health/health-rules.ts";
import { credentialHandlers } from "../../../coordinator/routes/credentials.ts";
import { answerKeys } from "../../../coordinator/secrets/storage-keys.ts";
import { soundHealth } from "../../../coordinator/store/health-row.ts";
import type { NodeRow } from "../../../coordinator/store/rows.ts";
import type { CoordinatorMessage } from "../../../shared/protocol/messages.ts";
import { filesCapability, sweepCapability } from "../../../shared/protocol/node-files.ts";
import { aConnection, aCopy, aJob, anIntent, aReport, aSmallJob, aSource } from "../../helpers/farm/farm.ts";
import { type FakeNode, useFarm } from "../../helpers/farm/farm-story.ts";
import { readCredential } from "../../helpers/secrets/credentials.ts";

/** What remains of a node that was found out. */
const { world, farm, submit, report, pass } = useFarm();

const capabilities = ["ffmpeg", "ffprobe", "storage:s3", filesCapability, sweepCapability];
const tools = { ffmpeg: null, ffprobe: null, capabilities };
const credential = readCredential({ kind: "s3", access_key_id: "AKEY", secret_access_key: "ASECRET" });
const isInspection = ({ type }: CoordinatorMessage): boolean => type === "inspect";

const findOut = async ({ id }: FakeNode): Promise<void> => {
  for (let nr = 0; nr < mostBreaches; nr += 1) await noteBreach(farm(), id, "lied");
};
const healthOf = ({ id }: FakeNode) => farm().registry.row(id)?.health;

/** What the node is told to know already of the file that all small jobs look at. */
const knownTo = async (node: FakeNode): Promise<boolean> => {
  await submit(aSmallJob({ task_tags: ["good"] }));
  const assignment = await node.assigned();
  await report(node, aReport(assignment));
  const [step] = assignment.work.steps;
  return step?.do === "probe" && step.known !== undefined;
};
const twoNodes = async () => {
  const [bad, good] = [await world().node({ tags: ["bad"] }), await world().node({ tags: ["good"] })];
  await submit(aSmallJob({ task_tags: ["bad"] }));
  const assignment = await bad.assigned();
  await report(bad, aReport(assignment));
  return { bad, good, assignment };
};

test("facts of a node that was found out are looked at anew", async () => {
  const { bad, good } = await twoNodes();
  await findOut(bad);
  expect([await knownTo(good), await knownTo(good)]).toEqual([false, true]);
});

test("facts that a node reports while it is in quarantine are looked at anew", async () => {
  const { bad, good } = await twoNodes();
  await submit(aSmallJob({ task_tags: ["bad"] }));
  const held = await bad.assigned();
  await findOut(bad);
  await pass(good, 5);
  await report(bad, aReport(held));
  expect([await knownTo(good), await knownTo(good)]).toEqual([false, true]);
});

test("facts of a revoked node are looked at anew", async () => {
  const { bad, good } = await twoNodes();
  await revokeNode(farm(), bad.id);
  expect(await knownTo(good)).toBe(false);
});

test("facts of a node that is trusted need no second look", async () => {
  const { good } = await twoNodes();
  expect(await knownTo(good)).toBe(true);
});

test.each<readonly [string, NodeRow["health"] | undefined, number | null, boolean]>([
  ["one that nobody noted", undefined, null, true],
  ["one that is gone", undefined, 1, false],
  ["one that was forgiven", { ...soundHealth, since: 20 }, 1, true],
  ["one that was in quarantine afterwards", { ...soundHealth, strikes: 1, since: 20, until: 25 }, 1, false],
  ["one that was in quarantine then", { ...soundHealth, strikes: 1, since: 5, until: 15 }, 1, false],
  [
    "one that is in quarantine still",
    { ...soundHealth, state: "quarantined", strikes: 1, since: 5, until: 8 },
    1,
    false,
  ],
  ["one that was in quarantine before", { ...soundHealth, strikes: 1, since: 5, until: 8 }, 1, true],
])("facts of %s", (_what, health, found_by, wanted) => {
  const row = () => health && { health, revoked: null };
  expect(isBelieved({ row }, { found: 10, found_by })).toBe(wanted);
});

test("a node that takes a task and gives it back without end loses it to another node", async () => {
  const liar = await world().node();
  const jobId = await submit(aSmallJob());
  let given = 0;
  for (let nr = 0; nr < 2 * mostReturns && healthOf(liar)?.state === "sound"; nr += 1)
    for (const message of await liar.take()) {
      if (message.type !== "assign") continue;
      given += 1;
      await takeMessage(farm(), liar.id, { type: "returned", fence: message.assignment.fence, why: "no" });
    }
  expect(given).toBeLessThanOrEqual(mostReturns + 1); // the next one may be on its way
  expect(healthOf(liar)).toMatchObject({ state: "quarantined", why: expect.stringContaining(`${mostReturns}`) });
  const honest = await world().node();
  await report(honest, aReport(await honest.assigned()));
  expect(world().job(jobId)).toMatchObject({ status: "completed" });
});

test("a node in quarantine gets no keys for what it ran before", async () => {
  const { bad, assignment } = await twoNodes();
  const keysTold = async () => (await bad.take()).filter(({ type }) => type === "keys").length;
  await answerKeys(farm(), bad.id, assignment.fence);
  expect(await keysTold()).toBe(1);
  await findOut(bad);
  await answerKeys(farm(), bad.id, assignment.fence);
  expect(await keysTold()).toBe(0);
  await changeNode(farm(), bad.id, { state: "active" });
  await answerKeys(farm(), bad.id, assignment.fence);
  expect(await keysTold()).toBe(1);
});

test("a node in quarantine is not asked about what a lost one was granted, and gets no keys for it", async () => {
  const lost = await world().node({ tools });
  const payload = { kind: "asset_url", payload: { storage_provider: "s3", url: "s3://archive/in.mov" } };
  await credentialHandlers(farm()).putCredential({ name: "archive", prefix: "s3://archive", credential });
  const elements = [aSource({ payload }), aCopy()];
  await submit(aJob({ payload: { elements, connections: [aConnection("src", ["copy"])] } }));
  await report(lost, aReport(await lost.assigned()));
  const copy = await lost.assigned();
  await grantCommit(farm(), lost.id, copy.fence, anIntent(copy));
  const liar = await world().node({ name: "liar", tools });
  takeDisconnect(farm(), lost.id, lost.connection);
  await pass(liar, 31);
  expect((await liar.take()).filter(isInspection)).not.toEqual([]);
  await findOut(liar);
  await takeMessage(farm(), liar.id, { type: "inspected", fence: copy.fence, seen: "published" });
  await pass(liar, 5);
  expect((await liar.take()).filter(isInspection)).toEqual([]);
  expect(farm().values.attempts.get(copy.fence.counter)).toMatchObject({ state: "committing" });
});

test("a node in quarantine is told no credential to try", async () => {
  const [liar, honest] = [await world().node({ name: "liar", tools }), await world().node({ name: "honest", tools })];
  await findOut(liar);
  const tried = tryEntry(farm(), { prefix: "s3://archive", credential });
  const isQuestion = ({ type }: CoordinatorMessage): boolean => type === "request";
  expect((await liar.take()).filter(isQuestion)).toEqual([]);
  const [question] = (await honest.take()).filter(isQuestion);
  if (question?.type !== "request") throw new Error("the honest node is asked");
  const response = { is: "opened", message: "it opens" } as const;
  await takeMessage(farm(), honest.id, { type: "response", id: question.id, response });
  expect(await tried).toEqual([{ node: "honest", success: true, message: "it opens" }]);
});

test("files are asked for at nodes that are trusted first, but for the one that made them", async () => {
  const [liar, honest] = [await world().node({ tools }), await world().node({ tools })];
  await findOut(liar);
  expect(nodesWithFiles(farm())).toEqual([honest.id, liar.id]);
  expect(nodesWithFiles(farm(), liar.id)).toEqual([liar.id, honest.id]);
  expect(trustedWith(farm(), sweepCapability)).toEqual([honest.id]);
});

test("what a node answers of a source after it was found out counts no more: another is asked at once", async () => {
  const liar = await world().node();
  const options = { wait_for_source_timeout_sec: 600 };
  const payload = { storage_provider: "file", url: "file:///media/in.mov", options };
  const jobId = await submit(
    aSmallJob({ payload: { elements: [aSource({ payload: { kind: "asset_url", payload } })] } }),
  );
  await pass(liar, 1);
  const look = (await liar.take()).find(({ type }) => type === "poll");
  if (look?.type !== "poll") throw new Error("it is asked");
  await findOut(liar);
  const failure = { cause: "definition", message: "no" } as const;
  await takeMessage(farm(), liar.id, { type: "polled", id: look.id, response: { what: "failure", failure } });
  expect(world().job(jobId)).toMatchObject({ status: "queued" });
  const honest = await world().node();
  await pass(honest, 1);
  expect((await honest.take()).filter(({ type }) => type === "poll")).toHaveLength(1);
});
