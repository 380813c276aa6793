import { once } from "node:events";
import { afterEach, beforeEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import { recordDowntimes } from "../../../coordinator/nodes/downtime-watch.ts";
import { buildTimeline } from "../../../coordinator/views/node-view.ts";
import { decodeJoinToken } from "../../../shared/credentials/join-token.ts";
import type { Standing } from "../../../shared/lending/lending.ts";
import type { Assignment, CoordinatorMessage } from "../../../shared/protocol/messages.ts";
import { turns } from "../../helpers/clock.ts";
import { openTestCoordinator, type TestCoordinator } from "../../helpers/farm/coordinator.ts";
import { aFolder, aHello, aReport, aSmallJob, removeFolder } from "../../helpers/farm/farm.ts";

let folder: string;
let world: TestCoordinator;
let socket: WebSocket;

beforeEach(async () => {
  folder = aFolder();
  world = await openTestCoordinator(folder);
});
afterEach(async () => {
  socket.terminate();
  await world.coordinator.close();
  removeFolder(folder);
});

const standing = (more: Partial<Standing> = {}): Standing => ({
  state: "lending",
  why: "Lending",
  until: null,
  takes: true,
  isSuspended: false,
  ...more,
});
const away = standing({ state: "inUse", why: "In use", takes: false });

const join = async (said?: Standing) => {
  const { url } = decodeJoinToken(world.coordinator.joinToken);
  socket = new WebSocket(url);
  const assigned: Assignment[] = [];
  socket.on("message", (data) => {
    const message: CoordinatorMessage = JSON.parse(data.toString());
    if (message.type === "assign") assigned.push(message.assignment);
  });
  await once(socket, "open");
  const say = (message: object) => socket.send(JSON.stringify(message));
  say({ ...aHello({ credentials: { joinToken: world.coordinator.joinToken } }), standing: said });
  await once(socket, "message");
  const until = async (count: number): Promise<Assignment> => {
    while (assigned.length < count) await turns();
    return assigned[count - 1] as Assignment; // it was just counted
  };
  return { assigned, say, until };
};
const nodeInfo = async () => (await world.api("GET", "/nodes")).body.items[0];

test("a node whose owner does not lend it gets no work until it says that it takes some", async () => {
  const { assigned, say, until } = await join(away);
  const { body } = await world.api("POST", "/jobs", { body: aSmallJob() });
  await turns(20);
  expect(assigned).toEqual([]);
  expect((await nodeInfo()).lending).toEqual({
    state: "inUse",
    why: "In use",
    until: null,
    takes: false,
    suspended: false,
    load: null,
    battery: null,
  });
  const { items } = (await world.api("GET", `/jobs/${body.id}/tasks`)).body;
  const { body: explained } = await world.api("GET", `/tasks/${items[0].id}/explain`);
  expect(JSON.stringify(explained)).toContain("Not lent by its owner: In use");

  say({ type: "heartbeat", standing: standing() });
  await until(1);
});

test("work that an owner gives back starts again as often as it takes, and fails nobody", async () => {
  const { say, until } = await join(standing());
  const { body } = await world.api("POST", "/jobs", { body: aSmallJob() });
  for (let time = 1; time <= 15; time += 1) {
    const { fence } = await until(time);
    say({ type: "returned", fence, why: "In use" });
  }
  say({ type: "report", report: aReport(await until(16)) });
  while ((await world.api("GET", `/jobs/${body.id}/info?fields[]=status`)).body.status !== "completed") await turns();
  const { items } = (await world.api("GET", `/jobs/${body.id}/tasks`)).body;
  const task = await world.coordinator.farm.store.jobs.task(Number(items[0].id));
  expect([task?.losses, task?.retry_nr]).toEqual([0, 0]);
});

test("what is given back twice, or by nobody's right, changes nothing", async () => {
  const { assigned, say, until } = await join(standing());
  await world.api("POST", "/jobs", { body: aSmallJob() });
  const { fence } = await until(1);
  say({ type: "returned", fence, why: "In use" });
  await until(2);
  say({ type: "returned", fence, why: "In use" });
  say({ type: "returned", fence: { epoch: 1, counter: 999 }, why: "In use" });
  await turns(20);
  expect([assigned.length, (await nodeInfo()).running.length]).toEqual([2, 1]);
});

test("a suspended attempt is waited for as much longer as it stood still", async () => {
  const { say, until } = await join(standing());
  await world.api("POST", "/jobs", { body: aSmallJob() });
  await until(1);
  const { registry, clock } = world.coordinator.farm;
  const due = () => registry.runningOn(1)[0]?.due ?? 0;
  const before = due();
  registry.stand(1, { ...away, isSuspended: true }, clock.monotonic());
  registry.stand(1, { ...away, isSuspended: true }, clock.monotonic() + 5000);
  registry.stand(1, standing(), clock.monotonic() + 60_000);
  registry.stand(1, standing(), clock.monotonic() + 90_000);
  expect(Math.round(due() - before)).toBe(60_000);
  say({ type: "goodbye" });
});

test("the node's line of time tells when its owner had it, by the words of its own computer", async () => {
  const { say } = await join(away);
  const { farm } = world.coordinator;
  const downtimes = async () => (await buildTimeline(farm, 4, 1)).nodes[0]?.downtimes;
  await recordDowntimes(farm);
  const begun = { state: "inUse", from: expect.any(Number), why: "In use", lending: "inUse" };
  expect(await downtimes()).toEqual([{ ...begun, to: null }]);
  say({ type: "heartbeat", standing: standing() });
  while (farm.registry.standing(1)?.takes !== true) await turns();
  await recordDowntimes(farm);
  expect(await downtimes()).toEqual([{ ...begun, to: expect.any(Number) }]);
});
