import { expect, test } from "vitest";
import { admitNode } from "../../../coordinator/connections/admit.ts";
import { revokeNode } from "../../../coordinator/connections/revoke-node.ts";
import { changeNode } from "../../../coordinator/nodes/change-node.ts";
import { noteBreach } from "../../../coordinator/nodes/health/breaches.ts";
import { mostBreaches } from "../../../coordinator/nodes/health/health-rules.ts";
import { changeNetworkRules } from "../../../coordinator/nodes/network-rules.ts";
import { mountHandlers } from "../../../coordinator/routes/mounts.ts";
import { turns } from "../../helpers/clock.ts";
import { aHello, aRecordingConnection, aSmallJob } from "../../helpers/farm/farm.ts";
import { useFarm } from "../../helpers/farm/farm-story.ts";

/** What somebody changes while a node is being let in: it was read, and the node is not connected yet. */
const { farm, submit } = useFarm();

/** A node says hello; gives its id and what it heard. */
const hello = async (meanwhile: (nodeId: number) => Promise<unknown>) => {
  const { records } = farm().store;
  const { get } = records;
  let isOver = false;
  const getAndChange: typeof get = async (...name) => {
    const found = await get(...name);
    if (!isOver) {
      isOver = true;
      await meanwhile(farm().registry.rows()[0]?.id ?? 0);
    }
    return found;
  };
  Object.assign(records, { get: getAndChange });
  const { heard, connection } = aRecordingConnection();
  const useJoinToken = () => ({ by: "a token", isPending: false });
  await admitNode(farm(), { useJoinToken }, aHello(), connection);
  await submit(aSmallJob());
  await turns();
  return heard;
};
const breaches = async (nodeId: number) => {
  for (let nr = 0; nr < mostBreaches; nr += 1) await noteBreach(farm(), nodeId, "lied");
};

test("nothing: it is welcomed, and gets work", async () => {
  expect((await hello(async () => undefined)).map(({ type }) => type)).toEqual(["welcome", "assign"]);
});

test.each([
  ["a rule", () => changeNetworkRules(farm(), { add: [], remove: ["old.test"] }), { outbound: undefined }],
  ["a mount", () => mountHandlers(farm()).changeMounts({ set: [], remove: ["s3://old"] }), { mounts: [] }],
])("%s that is removed is none of what it is told", async (_what, change, told) => {
  await changeNetworkRules(farm(), { add: ["old.test"], remove: [] });
  await mountHandlers(farm()).changeMounts({ set: [{ prefix: "s3://old", folders: { posix: "/old" } }], remove: [] });
  const [welcome] = await hello(change);
  expect(welcome?.type === "welcome" && { outbound: welcome.outbound, mounts: welcome.mounts }).toMatchObject(told);
});

test("it is revoked: it is refused and gets no work", async () => {
  const heard = await hello((nodeId) => revokeNode(farm(), nodeId));
  expect(heard).toEqual([expect.objectContaining({ type: "refused", reason: "revoked" })]);
  expect(farm().registry.rows()).toEqual([]);
});

test.each([
  ["is paused", (nodeId: number) => changeNode(farm(), nodeId, { state: "paused" }), { state: "paused" }],
  ["is found out", breaches, { health: { state: "quarantined" } }],
  ["gets tags", (nodeId: number) => changeNode(farm(), nodeId, { state: "drain", tags: ["x"] }), { ownTags: ["x"] }],
])("it %s: so it is once it is in, and it gets no work", async (_what, change, state) => {
  expect((await hello(change)).map(({ type }) => type)).toEqual(["welcome"]);
  expect(farm().registry.rows()).toMatchObject([state]);
});
