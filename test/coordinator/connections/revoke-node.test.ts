import { describe, expect, test } from "vitest";
import { admitNode } from "../../../coordinator/connections/admit.ts";
import { revokeNode } from "../../../coordinator/connections/revoke-node.ts";
import { hashSecret } from "../../../coordinator/secrets/vault.ts";
import { Secret } from "../../../shared/basics/secret.ts";
import type { Hello } from "../../../shared/protocol/messages.ts";
import { turns } from "../../helpers/clock.ts";
import { aHello, aRecordingConnection, aReport, aSmallJob, rekey } from "../../helpers/farm/farm.ts";
import { type FakeNode, useFarm } from "../../helpers/farm/farm-story.ts";
import { stored } from "../../helpers/farm/stored.ts";

const { world, farm, submit, report, restart } = useFarm();

/** The node says hello with its own key. */
const sayHello = async (node: Pick<FakeNode, "id">, changes: Partial<Hello> = {}) => {
  await rekey(farm(), node.id, hashSecret(new Secret("its key")));
  const { heard, state, connection } = aRecordingConnection();
  const hello = aHello({ credentials: { nodeId: node.id, nodeKey: "its key" }, ...changes });
  await admitNode(farm(), { useJoinToken: () => "wrong" }, hello, connection);
  await turns();
  return { heard, state };
};

describe("a revoked node", () => {
  test("is told to end, what it ran goes to others, and listeners hear that it is gone", async () => {
    const node = await world().node();
    const jobId = await submit(aSmallJob());
    const probe = await node.assigned();
    await revokeNode(farm(), node.id);
    expect(await node.take()).toMatchObject([
      { type: "cancel", fence: probe.fence },
      { type: "refused", retry: false, reason: "revoked" },
    ]);
    expect(node.state.isClosed).toBe(true);
    expect(world().events).toContain("node.removed");
    expect(world().tasks(jobId)).toEqual(["src facts ready"]);
    const other = await world().node();
    await report(other, aReport(await other.assigned()));
    expect(world().job(jobId)).toMatchObject({ status: "completed" });
  });

  test("is not let in again with its key, and learns why; a wrong key learns nothing", async () => {
    const node = await world().node();
    await sayHello(node);
    await revokeNode(farm(), node.id);
    expect((await sayHello(node)).heard).toMatchObject([{ type: "refused", reason: "revoked", retry: false }]);
    const wrong = { credentials: { nodeId: node.id, nodeKey: "another" } };
    expect((await sayHello(node, wrong)).heard).toEqual([
      { type: "refused", message: expect.any(String), retry: true },
    ]);
  });

  test("stays revoked over a restart, and is listed no more", async () => {
    const node = await world().node();
    await revokeNode(farm(), node.id);
    await restart();
    expect(farm().registry.rows()).toEqual([]);
  });

  test("is given nothing by a choice that was made at the same moment", async () => {
    const node = await world().node();
    const jobId = submit(aSmallJob());
    await Promise.all([jobId, revokeNode(farm(), node.id)]);
    await turns();
    expect((await node.take()).map(({ type }) => type)).toEqual(["refused"]);
    expect(stored(farm()).openAttempts()).toEqual([]);
  });

  test("that is not there is not found", async () => {
    await expect(revokeNode(farm(), 99)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("a second agent with one identity", () => {
  test("is refused while the first is heard, and changes nothing for it", async () => {
    const node = await world().node();
    farm().registry.forget(node.id);
    const first = await sayHello(node, { instance: "first" });
    await submit(aSmallJob());
    await turns();
    const second = await sayHello(node, { instance: "second" });
    expect(second.heard).toMatchObject([{ type: "refused", reason: "twin", retry: true }]);
    expect(first.heard.map(({ type }) => type)).toEqual(["welcome", "assign"]);
    expect(first.state.isClosed).toBe(false);
    expect(farm().registry.runningOn(node.id)).toHaveLength(1);
  });

  test("takes its place once the first has not been heard for a while", async () => {
    const node = await world().node();
    farm().registry.forget(node.id);
    const first = await sayHello(node, { instance: "first" });
    await world().clock.advance(10_000);
    const second = await sayHello(node, { instance: "second" });
    expect(second.heard).toMatchObject([{ type: "welcome" }]);
    expect(first.state.isClosed).toBe(true);
  });

  test("is the first itself where it comes back over a new line", async () => {
    const node = await world().node();
    farm().registry.forget(node.id);
    const first = await sayHello(node, { instance: "first" });
    expect((await sayHello(node, { instance: "first" })).heard).toMatchObject([{ type: "welcome" }]);
    expect(first.state.isClosed).toBe(true);
  });
});
