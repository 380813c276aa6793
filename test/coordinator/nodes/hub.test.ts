import { once } from "node:events";
import { afterEach, beforeEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import { decodeJoinToken } from "../../../shared/join-token.ts";
import type { CoordinatorMessage } from "../../../shared/protocol.ts";
import { turns } from "../../helpers/clock.ts";
import { openTestCoordinator, type TestCoordinator } from "../../helpers/coordinator.ts";
import { aFolder, aHello, aReport, aSmallJob, removeFolder } from "../../helpers/farm.ts";

let folder: string;
let world: TestCoordinator;
let sockets: WebSocket[];

beforeEach(async () => {
  folder = aFolder();
  world = await openTestCoordinator(folder);
  sockets = [];
});

afterEach(async () => {
  for (const socket of sockets) socket.terminate();
  await world.coordinator.close();
  removeFolder(folder);
});

/** An agent's end of the line: what it hears, in order, and how it ended. */
const dial = async (path?: string) => {
  const { url } = decodeJoinToken(world.coordinator.joinToken);
  const socket = new WebSocket(path ? url.replace(/\/v1.*/, path) : url);
  sockets.push(socket);
  const heard: CoordinatorMessage[] = [];
  const waiting: ((message: CoordinatorMessage) => void)[] = [];
  socket.on("message", (data) => {
    const message: CoordinatorMessage = JSON.parse(data.toString());
    const next = waiting.shift();
    if (next) next(message);
    else heard.push(message);
  });
  const closed = once(socket, "close").then(([code]) => code as number); // ws gives the code first
  await once(socket, "open");
  return {
    socket,
    closed,
    say: (message: unknown) => socket.send(typeof message === "string" ? message : JSON.stringify(message)),
    hear: async () => heard.shift() ?? new Promise<CoordinatorMessage>((resolve) => waiting.push(resolve)),
  };
};

const joining = () => aHello({ credentials: { joinToken: world.coordinator.joinToken } });

const join = async () => {
  const line = await dial();
  line.say(joining());
  const welcome = await line.hear();
  if (welcome.type !== "welcome") throw new Error(`heard ${welcome.type}`);
  return { ...line, welcome, credentials: { nodeId: welcome.nodeId, nodeKey: welcome.nodeKey ?? "" } };
};

test("a new node is enrolled, given a key, and then work", async () => {
  const { welcome, hear, say } = await join();
  expect(welcome).toEqual({
    type: "welcome",
    protocol: 1,
    epoch: world.coordinator.farm.epoch,
    nodeId: 1,
    nodeKey: expect.stringMatching(/^[\w-]{43}$/),
    heartbeatMs: 5000,
    keep: [],
    mounts: [],
  });
  const { body } = await world.api("POST", "/jobs", { body: aSmallJob() });
  const assigned = await hear();
  if (assigned.type !== "assign") throw new Error(`heard ${assigned.type}`);
  say({ type: "report", report: aReport(assigned.assignment) });
  expect(await hear()).toEqual({ type: "stored", epoch: welcome.epoch, fence: assigned.assignment.fence });
  const info = await world.api("GET", `/jobs/${body.id}/info?fields[]=status&fields[]=progress`);
  expect(info.body).toEqual({ status: "completed", progress: 100 });
});

test("a known node comes back with its key and is given no other", async () => {
  const first = await join();
  first.socket.close();
  await first.closed;
  const second = await dial();
  second.say(aHello({ credentials: first.credentials, name: "renamed" }));
  expect(await second.hear()).toMatchObject({ type: "welcome", nodeId: 1, keep: [] });
  const { body } = await world.api("GET", "/nodes");
  expect(body.items).toMatchObject([{ id: "1", name: "renamed", presence: "online" }]);
});

test("a second connection takes the place of the first", async () => {
  const first = await join();
  const second = await dial();
  second.say(aHello({ credentials: first.credentials }));
  expect(await second.hear()).toMatchObject({ type: "welcome", nodeId: 1 });
  await first.closed;
  await world.api("POST", "/jobs", { body: aSmallJob() });
  expect(await second.hear()).toMatchObject({ type: "assign" });
});

test.each([
  ["a wrong join token", () => aHello({ credentials: { joinToken: "mfj1_x" } }), false],
  ["a node nobody knows", () => aHello({ credentials: { nodeId: 99, nodeKey: "x" } }), true],
  ["a newer protocol", () => ({ ...joining(), protocol: 2 }), true],
])("%s is refused in words", async (_, hello, retry) => {
  const line = await dial();
  line.say(hello());
  expect(await line.hear()).toEqual({ type: "refused", message: expect.any(String), retry });
  await line.closed;
});

test("a known node with a wrong key is refused", async () => {
  const first = await join();
  const line = await dial();
  line.say(aHello({ credentials: { ...first.credentials, nodeKey: "wrong" } }));
  expect(await line.hear()).toMatchObject({ type: "refused" });
  expect(first.socket.readyState).toBe(WebSocket.OPEN);
});

test.each([
  ["no JSON", "soup"],
  ["a message nobody knows", { type: "soup" }],
  ["a field too many", { ...aHello(), extra: 1 }],
  ["a hello that is too long", JSON.stringify({ type: "heartbeat", pad: "x".repeat(1_100_000) })],
])("%s closes the connection", async (_, message) => {
  const line = await dial();
  line.say(message);
  expect(await line.closed).toBe(1008);
});

test.each([["heartbeat"], ["goodbye"]])("a %s before hello ends the connection", async (type) => {
  const line = await dial();
  line.say({ type });
  expect(await line.closed).toBe(1006);
});

test("hello twice ends the connection", async () => {
  const line = await join();
  line.say(joining());
  expect(await line.closed).toBe(1006);
});

test("garbage from a known node closes its connection and keeps its work", async () => {
  const line = await join();
  await world.api("POST", "/jobs", { body: aSmallJob() });
  await line.hear();
  line.say("soup");
  expect(await line.closed).toBe(1008);
  expect(world.coordinator.farm.registry.heldBy(1)).toHaveLength(1);
});

test("who says nothing for ten seconds is cut off", async () => {
  const line = await dial();
  await world.clock.advance(9_999);
  expect(line.socket.readyState).toBe(WebSocket.OPEN);
  await world.clock.advance(1);
  expect(await line.closed).toBe(1006);
});

test("a fence that nobody knows is stale", async () => {
  const line = await join();
  const fence = { epoch: 1, counter: 1 };
  for (const message of [
    { type: "started", fence },
    { type: "progress", fence, progress: {} },
    { type: "commit", fence, intent: { files: [] } },
  ]) {
    line.say(message);
    expect(await line.hear()).toMatchObject({ type: "stale", fence });
  }
});

test("another path has no door", async () => {
  const { url } = decodeJoinToken(world.coordinator.joinToken);
  const socket = new WebSocket(url.replace("/v1/agent", "/v1/other"));
  const [problem] = await once(socket, "error");
  expect(String(problem)).toContain("404");
});

test("a node that left is shown with the time at which it was last heard", async () => {
  const line = await join();
  await world.clock.advance(3_000);
  line.say({ type: "heartbeat" });
  await world.api("GET", "/nodes");
  line.socket.close();
  await line.closed;
  while (world.coordinator.farm.registry.isConnected(1)) await turns();
  await world.clock.advance(60_000);
  const { body } = await world.api("GET", "/nodes");
  expect(body.items).toMatchObject([{ presence: "lost", last_seen: "2026-11-01T00:00:03.000Z" }]);
});
