import { beforeEach, describe, expect, test } from "vitest";
import { grantCommit } from "../../../coordinator/attempts/report.ts";
import { takeDisconnect } from "../../../coordinator/connections/messages.ts";
import { retryJob } from "../../../coordinator/jobs/retry.ts";
import { stopJob } from "../../../coordinator/jobs/stop.ts";
import { explain } from "../../../coordinator/views/explain.ts";
import type { Assignment } from "../../../shared/protocol/messages.ts";
import { anIntent, aReport } from "../../helpers/farm/farm.ts";
import { useFarm } from "../../helpers/farm/farm-story.ts";
import { stored } from "../../helpers/farm/stored.ts";

const { world, farm, report, pass, restart, toCopy } = useFarm();
const failed = { scope: "failed", taskIds: [], replan: undefined } as const;
type Node = Awaited<ReturnType<ReturnType<typeof world>["node"]>>;

const givenIn = (told: Awaited<ReturnType<Node["take"]>>): Assignment[] =>
  told.flatMap((each) => (each.type === "assign" ? [each.assignment] : []));

describe("a job that was stopped while a node published, and is retried", () => {
  let node: Node;
  let other: Node;
  let jobId: number;
  let copy: Assignment;
  const stopGranted = async () => {
    node = await world().node();
    ({ jobId, copy } = await toCopy(node));
    await grantCommit(farm(), node.id, copy.fence, anIntent(copy));
    other = await world().node();
  };
  const copyTask = () => world().tasks(jobId).at(-1);
  const explained = () => {
    const row = stored(farm()).tasks(jobId).at(-1);
    if (!row) throw new Error("the job has tasks");
    return explain(farm(), row, "all");
  };
  beforeEach(stopGranted);

  test("waits for the node that cannot be told, as long as for a lost grant, and says so", async () => {
    takeDisconnect(farm(), node.id, node.connection);
    await stopJob(farm(), jobId);
    await retryJob(farm(), jobId, failed);
    const until = new Date(world().clock.now() + 600_000).toISOString();
    expect(explained()).toMatchObject({
      is_waiting: true,
      reasons: [{ reason: "stopped_grant", data: { node: "n1", until } }],
    });
    await pass(other, 598);
    expect(copyTask()).toBe("copy work delayed");
    await pass(other, 4);
    const [again] = givenIn(await other.take());
    expect(again).toMatchObject({ taskId: copy.taskId, previousIntent: anIntent(copy) });
  });

  test("goes on soon after the node is back, which is told to drop it", async () => {
    takeDisconnect(farm(), node.id, node.connection);
    await stopJob(farm(), jobId);
    await retryJob(farm(), jobId, failed);
    await pass(other, 60);
    expect(copyTask()).toBe("copy work delayed");
    world().connect(node.id);
    await pass(other, 2);
    expect(copyTask()).toBe("copy work running");
  });

  test("goes on once the node has been heard long enough since it was told", async () => {
    await stopJob(farm(), jobId);
    await retryJob(farm(), jobId, failed);
    await pass(node, 24);
    expect(copyTask()).toBe("copy work delayed");
    await pass(node, 2);
    expect(copyTask()).toBe("copy work running");
  });

  test("goes on at once where the stop was long ago and the node was heard since", async () => {
    await stopJob(farm(), jobId);
    await pass(node, 30);
    await retryJob(farm(), jobId, failed);
    expect(copyTask()).toBe("copy work running");
  });

  test("still waits after the coordinator began anew", async () => {
    takeDisconnect(farm(), node.id, node.connection);
    await stopJob(farm(), jobId);
    await retryJob(farm(), jobId, failed);
    await restart();
    world().connect(other.id);
    await pass(other, 60);
    expect(copyTask()).toBe("copy work delayed");
  });

  test("cannot be planned anew meanwhile, and the refusal names the node and the time", async () => {
    takeDisconnect(farm(), node.id, node.connection);
    await stopJob(farm(), jobId);
    await pass(other, 60);
    const all = { scope: "all", taskIds: [], replan: undefined } as const;
    await expect(retryJob(farm(), jobId, all)).rejects.toThrow(
      `Node n1 cannot be reached, and may still publish the files of task ${copy.taskId}: try again once it is back, or in 9 min`,
    );
    world().connect(node.id);
    await retryJob(farm(), jobId, all);
    expect(world().job(jobId)).toMatchObject({ status: "active" });
  });
});

test("a granted attempt that is overdue on a node that cannot be told does not fail before the wait for it is over", async () => {
  const node = await world().node();
  const { jobId, copy } = await toCopy(node);
  await grantCommit(farm(), node.id, copy.fence, anIntent(copy));
  const held = farm().registry.heldAs(node.id, copy.fence);
  if (!held) throw new Error("the node holds its copy");
  farm().registry.addRunning(node.id, { ...held, due: world().clock.monotonic() });
  takeDisconnect(farm(), node.id, node.connection);
  const other = await world().node();
  await pass(other, 120);
  expect(world().tasks(jobId).at(-1)).toBe("copy work committing");
  world().connect(node.id);
  expect(await report(node, aReport(copy))).toBe("ok");
  expect(world().job(jobId)).toMatchObject({ status: "completed" });
});
