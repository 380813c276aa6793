import { expect, test } from "vitest";
import type { Parts } from "../../../coordinator/files/node-files.ts";
import { createNodeRequests } from "../../../coordinator/files/node-requests.ts";
import { planPreview } from "../../../coordinator/files/previews.ts";
import type { CoordinatorMessage } from "../../../shared/protocol/messages.ts";
import { createTestClock } from "../../helpers/clock.ts";

const opened = (nodes: readonly number[]) => {
  const clock = createTestClock();
  const sent: { readonly nodeId: number; readonly message: CoordinatorMessage }[] = [];
  const nodeRequests = createNodeRequests({
    clock,
    epoch: 3,
    send: (nodeId, message) => sent.push({ nodeId, message }),
  });
  const registry = { row: (id: number) => ({ profile: { name: `node ${id}` } }), standing: () => undefined };
  const farm = { clock, nodeRequests, registry } as unknown as Parts; // what previews are planned with
  const plan = planPreview(farm, { uri: "/a.mov" }, nodes).then(
    ({ node }) => node,
    (problem: Error) => problem.message,
  );
  const answer = async (nodeId: number, response: object) => {
    const asked = sent.find((each) => each.nodeId === nodeId)?.message;
    const id = asked && "id" in asked ? asked.id : 0;
    nodeRequests.take(nodeId, { type: "response", id, response } as never); // as the node says it
    await clock.advance(0);
  };
  const asked = () => sent.filter(({ message }) => message.type === "request").map(({ nodeId }) => nodeId);
  const takenBack = () => sent.filter(({ message }) => message.type === "cancel_request").map(({ nodeId }) => nodeId);
  return { clock, plan, answer, asked, takenBack };
};

const preview = { is: "preview", state: "1", preview: {} };
const refused = { is: "refused", message: "no such file" };

test("nodes that say nothing keep nobody waiting for longer than one of them", async () => {
  const { clock, plan, asked, takenBack } = opened([1, 2, 3, 4, 5, 6]);
  await clock.advance(74_000);
  expect(asked()).toEqual([1, 2, 3, 4, 5]);
  await clock.advance(1000);
  expect(await Promise.race([plan, "still waiting"])).toBe("No node answered in time");
  expect(takenBack().sort()).toEqual([1, 2, 3, 4, 5]);
});

test("after a node's silence the next is asked as well, and the first answer counts", async () => {
  const { clock, plan, answer, asked, takenBack } = opened([1, 2, 3]);
  await clock.advance(14_999);
  expect(asked()).toEqual([1]);
  await clock.advance(1);
  expect(asked()).toEqual([1, 2]);
  await answer(1, preview);
  expect(await plan).toBe("node 1");
  expect(takenBack()).toEqual([2]);
  expect(clock.waiting()).toBe(0);
});

test("a node that refuses is followed by the next at once; what the first one said is told where none can", async () => {
  const { plan, answer, asked } = opened([1, 2]);
  await answer(1, refused);
  expect(asked()).toEqual([1, 2]);
  await answer(2, { ...refused, message: "neither here" });
  expect(await plan).toBe("node 1: no such file");
  expect(await opened([]).plan).toContain("No connected node can make previews");
});
