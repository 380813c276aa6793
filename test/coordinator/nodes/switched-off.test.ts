import { expect, test } from "vitest";
import { takeDisconnect, takeMessage } from "../../../coordinator/connections/messages.ts";
import { buildNodeInfo } from "../../../coordinator/nodes/node-info.ts";
import { buildFarmView } from "../../../coordinator/views/farm-view.ts";
import { nodeStateName } from "../../../shared/model/state-labels.ts";
import { aSmallJob } from "../../helpers/farm/farm.ts";
import { type FakeNode, useFarm } from "../../helpers/farm/farm-story.ts";

const { world, farm, submit, restart } = useFarm();

const stateOf = (id: number): string => {
  const row = farm().registry.row(id);
  return row ? nodeStateName(buildNodeInfo(farm(), row)) : "unknown";
};
const leave = async (node: FakeNode, saysGoodbye: boolean): Promise<void> => {
  if (saysGoodbye) await takeMessage(farm(), node.id, { type: "goodbye" });
  takeDisconnect(farm(), node.id, node.connection);
};
const asleep = { state: "asleep", why: "This computer sleeps", until: null, takes: false, isSuspended: false } as const;
/** Nothing is estimated here. */
const nothing = { empty: null, blocked: 0 };
const soon = 5 * 60_000;

test("forty workstations that are switched off for the night are off and not lost, also after a restart", async () => {
  const nodes: FakeNode[] = [];
  for (let at = 0; at < 40; at += 1) nodes.push(await world().node({ name: `vfx-${at}` }));
  for (const node of nodes) await leave(node, true);
  await world().clock.advance(soon);
  const states = () => new Set(nodes.map(({ id }) => stateOf(id)));
  expect(states()).toEqual(new Set(["off"]));
  const origin = { host: "h", version: "1", started: 0 };
  const counts = async () => (await buildFarmView(farm(), origin, nothing)).nodes.presence;
  expect(await counts()).toEqual({ online: 0, late: 0, lost: 0, off: 40 });
  await restart();
  expect([states(), await counts()]).toEqual([new Set(["off"]), { online: 0, late: 0, lost: 0, off: 40 }]);
  // In the morning the first one is switched on.
  const [first] = nodes;
  if (first) world().connect(first.id);
  expect(await counts()).toEqual({ online: 1, late: 0, lost: 0, off: 39 });
});

test("a node whose power or network goes is late, and then lost", async () => {
  const node = await world().node();
  await leave(node, false);
  await world().clock.advance(soon);
  expect(stateOf(node.id)).toBe("lost");
});

test("a laptop that falls asleep with nothing to do is off; one that holds a task is lost, and the task runs elsewhere", async () => {
  const idle = await world().node();
  await takeMessage(farm(), idle.id, { type: "heartbeat", standing: asleep });
  const working = await world().node();
  await submit(aSmallJob());
  await working.assigned();
  await takeMessage(farm(), working.id, { type: "heartbeat", standing: { ...asleep, isSuspended: true } });
  await world().clock.advance(soon);
  expect([stateOf(idle.id), stateOf(working.id)]).toEqual(["off", "lost"]);
});
