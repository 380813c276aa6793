import { expect, test } from "vitest";
import { takeMessage } from "../../../coordinator/connections/messages.ts";
import { taskHandlers } from "../../../coordinator/routes/tasks.ts";
import type { Assignment } from "../../../shared/protocol/messages.ts";
import { turns } from "../../helpers/clock.ts";
import { aReport, aSmallJob } from "../../helpers/farm/farm.ts";
import { type FakeNode, useFarm } from "../../helpers/farm/farm-story.ts";

const { world, farm, submit, report } = useFarm();

const look = async (taskId: number): Promise<string> => {
  const { items } = await taskHandlers(farm()).getTaskLog({ task_id: String(taskId) });
  return items.at(-1)?.log ?? "none";
};

/** What the node is asked for, once the attempts were read, which another thread does. */
const asked = async (node: FakeNode): Promise<Awaited<ReturnType<FakeNode["take"]>>> => {
  const messages = await node.take();
  if (messages.length > 0) return messages;
  await turns();
  return asked(node);
};

const say = (node: FakeNode, { fence }: Assignment, from: number, text: string, left = 0) =>
  takeMessage(farm(), node.id, { type: "log", fence, from, left, text });

test("the log of a running task is asked of its node, and shows what there is so far", async () => {
  const node = await world().node();
  await submit(aSmallJob());
  const probe = await node.assigned();
  const looking = look(probe.taskId);
  expect(await asked(node)).toEqual([
    { type: "watch_log", epoch: farm().epoch, fence: probe.fence, from: 0, forMs: 15_000 },
  ]);
  await say(node, probe, 0, "$ probe\n");
  expect(await looking).toBe("$ probe\n");
  await say(node, probe, 8, "more\n");
  await say(node, probe, 8, "more\n"); // said again on another line
  expect(await look(probe.taskId)).toBe("$ probe\nmore\n");
  expect(await node.take()).toEqual([]); // it is still talking
});

test("a node that nobody asks is not heard, and neither is one that does not run the attempt", async () => {
  const [node, other] = [await world().node(), await world().node({ slots: 0 })];
  await submit(aSmallJob());
  const probe = await node.assigned();
  await say(node, probe, 0, "unasked\n");
  const looking = look(probe.taskId);
  await asked(node);
  await say(other, probe, 0, "not mine\n");
  await say(node, probe, 0, "mine\n");
  expect(await looking).toBe("mine\n");
});

test("what a cut line swallowed is asked for again", async () => {
  const node = await world().node();
  await submit(aSmallJob());
  const probe = await node.assigned();
  const looking = look(probe.taskId);
  await asked(node);
  await say(node, probe, 0, "one\n");
  await looking;
  await node.take();
  await say(node, probe, 8, "three\n");
  expect(await node.take()).toMatchObject([{ type: "watch_log", from: 4 }]);
});

test("a look at a node that says nothing ends soon, and an ended attempt has its own log", async () => {
  const node = await world().node();
  await submit(aSmallJob());
  const probe = await node.assigned();
  const looking = look(probe.taskId);
  await asked(node);
  await world().clock.advance(1500);
  expect(await looking).toBe("");
  await report(node, aReport(probe, { log: "all of it\n" }));
  expect(await look(probe.taskId)).toBe("all of it\n");
});
