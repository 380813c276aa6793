import { expect, test } from "vitest";
import { takeMessage } from "../../../coordinator/connections/messages.ts";
import { revokeNode } from "../../../coordinator/connections/revoke-node.ts";
import { isBelieved } from "../../../coordinator/nodes/believed.ts";
import { changeNode } from "../../../coordinator/nodes/change-node.ts";
import { noteBreach } from "../../../coordinator/nodes/health/breaches.ts";
import { mostBreaches, mostReturns } from "../../../coordinator/nodes/health/health-rules.ts";
import { answerKeys } from "../../../coordinator/secrets/storage-keys.ts";
import { soundHealth } from "../../../coordinator/store/health-row.ts";
import { aReport, aSmallJob } from "../../helpers/farm/farm.ts";
import { type FakeNode, useFarm } from "../../helpers/farm/farm-story.ts";

/** What remains of a node that was found out. */
const { world, farm, submit, report } = useFarm();

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

test("facts of a revoked node are looked at anew", async () => {
  const { bad, good } = await twoNodes();
  await revokeNode(farm(), bad.id);
  expect(await knownTo(good)).toBe(false);
});

test("facts of a node that is trusted need no second look", async () => {
  const { good } = await twoNodes();
  expect(await knownTo(good)).toBe(true);
});

test.each([
  ["one that nobody noted", undefined, null, true],
  ["one that is gone", undefined, 1, false],
  ["one that was forgiven", { ...soundHealth, since: 20 }, 1, true],
  ["one that was in quarantine afterwards", { ...soundHealth, strikes: 1, since: 20 }, 1, false],
  ["one that was in quarantine before", { ...soundHealth, strikes: 1, since: 5 }, 1, true],
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
