import { describe, expect, test } from "vitest";
import { grantCommit } from "../../../coordinator/attempts/report.ts";
import { admitNode } from "../../../coordinator/connections/admit.ts";
import { takeDisconnect } from "../../../coordinator/connections/messages.ts";
import { changeNode } from "../../../coordinator/nodes/change-node.ts";
import { hashSecret } from "../../../coordinator/secrets/vault.ts";
import type { NodeRow } from "../../../coordinator/store/rows.ts";
import { Secret } from "../../../shared/basics/secret.ts";
import { turns } from "../../helpers/clock.ts";
import { aHello, anIntent, aRecordingConnection, aReport, aSmallJob, rekey } from "../../helpers/farm/farm.ts";
import { type FakeNode, useFarm } from "../../helpers/farm/farm-story.ts";

const { world, farm, submit, report, toCopy, restart, pass } = useFarm();

const set = (node: FakeNode, state: "active" | "drain" | "paused") => changeNode(farm(), node.id, { state });
const key = "right";

/** The node's agent, started anew: what it ran it knows nothing of. */
const startAgain = async (node: FakeNode) => {
  takeDisconnect(farm(), node.id, node.connection);
  await rekey(farm(), node.id, hashSecret(new Secret(key)));
  const { heard, connection } = aRecordingConnection();
  const hello = aHello({ credentials: { nodeId: node.id, nodeKey: key } });
  await admitNode(farm(), { useJoinToken: () => "wrong" }, hello, connection);
  await turns();
  return heard.map(({ type }) => type);
};

describe.each(["drain", "paused"] as const)("a node in state %s", (state) => {
  test("finishes what it runs, publishing included, and takes nothing more", async () => {
    const node = await world().node();
    const { jobId, copy } = await toCopy(node);
    await set(node, state);
    const waiting = await submit(aSmallJob());
    expect(await grantCommit(farm(), node.id, copy.fence, anIntent(copy))).toBe("ok");
    expect(await report(node, aReport(copy))).toBe("ok");
    expect([world().job(jobId)?.status, world().job(waiting)?.status, await node.take()]).toEqual([
      "completed",
      "queued",
      [],
    ]);
  });

  test("takes what waits as soon as it is active", async () => {
    const node = await world().node();
    await set(node, state);
    await submit(aSmallJob());
    const before = await node.take();
    await set(node, "active");
    expect([before, (await node.take()).map(({ type }) => type)]).toEqual([[], ["assign"]]);
  });

  test("leaves its tasks to others when its agent is started again, and takes them no more itself", async () => {
    const node = await world().node();
    await submit(aSmallJob());
    const { taskId } = await node.assigned();
    await set(node, state);
    const heard = await startAgain(node);
    const other = await world().node({ name: "other" });
    expect([heard, (await other.assigned()).taskId]).toEqual([["welcome"], taskId]);
  });

  test("is still so after the coordinator was started again", async () => {
    const node = await world().node();
    await set(node, state);
    await submit(aSmallJob());
    await restart();
    const again = await world().connect(node.id);
    const before = await again.take();
    await set(again, "active");
    expect([before, (await again.take()).map(({ type }) => type)]).toEqual([[], ["assign"]]);
  });

  test("goes on with what it runs where the coordinator was started again meanwhile", async () => {
    const node = await world().node();
    const jobId = await submit(aSmallJob());
    const probe = await node.assigned();
    await set(node, state);
    await restart();
    const again = await world().connect(node.id);
    expect([await report(again, aReport(probe)), world().job(jobId)?.status]).toEqual(["ok", "completed"]);
  });
});

test("a task that only a node which waits for approval could run waits for it: after a restore all nodes may", async () => {
  const [working, { id }] = [
    await world().node({ name: "working" }),
    await world().node({ name: "new", tags: ["gpu"] }),
  ];
  await farm().change([], (draft) => draft.setNode(draft.node(id) as NodeRow, { state: "pending" })); // it was just made
  const waiting = await submit(aSmallJob({ task_tags: ["gpu"] }));
  const vain = await submit(aSmallJob({ task_tags: ["nobody's"] }));
  await pass(working, 61);
  expect([waiting, vain].map((job) => world().job(job)?.status)).toEqual(["queued", "failed"]);
});
