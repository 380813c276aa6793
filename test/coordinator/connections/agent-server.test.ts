import { once } from "node:events";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { maxNodes } from "../../../coordinator/connections/admit.ts";
import { mostInvalidMessages } from "../../../coordinator/connections/agent-socket.ts";
import { mostBreaches } from "../../../coordinator/nodes/health/health-rules.ts";
import type { NodeRow } from "../../../coordinator/store/rows.ts";
import { decodeJoinToken } from "../../../shared/credentials/join-token.ts";
import type { CoordinatorMessage } from "../../../shared/protocol/messages.ts";
import { protocolVersion } from "../../../shared/protocol/messages.ts";
import { turns } from "../../helpers/clock.ts";
import { openTestCoordinator, type TestCoordinator } from "../../helpers/farm/coordinator.ts";
import { aFolder, aHello, aReport, aSmallJob, removeFolder } from "../../helpers/farm/farm.ts";

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
    protocol: protocolVersion,
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
  ["a newer protocol", () => ({ ...joining(), protocol: protocolVersion + 1 }), true],
  ["a protocol from before the first", () => ({ ...joining(), protocol: -5 }), true],
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
  expect(await line.closed).toBe(1008);
});

test("what a node says while its hello is considered is let go, and it is welcomed: older agents tell progress then", async () => {
  const line = await dial();
  line.say(joining());
  line.say({ type: "heartbeat" });
  expect(await line.hear()).toMatchObject({ type: "welcome" });
  expect(line.socket.readyState).toBe(WebSocket.OPEN);
});

test("hello twice ends the connection", async () => {
  const line = await join();
  line.say(joining());
  expect(await line.closed).toBe(1008);
});

test("garbage from a known node closes its connection and keeps its work", async () => {
  const line = await join();
  await world.api("POST", "/jobs", { body: aSmallJob() });
  await line.hear();
  line.say("soup");
  expect(await line.closed).toBe(1008);
  expect(world.coordinator.farm.registry.runningOn(1)).toHaveLength(1);
});

test("a hello that does not say which run of an agent it is does not push out the one that is there", async () => {
  const first = await join();
  const second = await dial();
  second.say(aHello({ credentials: first.credentials, instance: undefined }));
  expect(await second.hear()).toMatchObject({ type: "refused", reason: "twin", retry: true });
  expect(first.socket.readyState).toBe(WebSocket.OPEN);
});

const assigned = async (line: Awaited<ReturnType<typeof join>>) => {
  await world.api("POST", "/jobs", { body: aSmallJob() });
  const message = await line.hear();
  if (message.type !== "assign") throw new Error(`heard ${message.type}`);
  return message.assignment;
};

test("a report that cannot be used fails its attempt, and the next message is heard", async () => {
  const line = await join();
  const [bad, good] = [await assigned(line), await assigned(line)];
  const { epoch } = line.welcome;
  const why = `The node's "report" message cannot be used: report.log: Invalid input: expected string, received number`;
  line.say({ type: "report", report: { ...aReport(bad), log: 7 } });
  expect(await line.hear()).toEqual({ type: "cancel", epoch, fence: bad.fence, why });
  expect(await line.hear()).toMatchObject({ type: "stale", fence: bad.fence });
  line.say({ type: "report", report: aReport(good) });
  expect(await line.hear()).toEqual({ type: "stored", epoch, fence: good.fence });
  const { body } = await world.api("GET", `/jobs/1/info?fields[]=status&fields[]=error`);
  expect(body).toMatchObject({ status: "failed", error: expect.stringContaining(why) });
});

test("a message that breaks what handles it fails its attempt, and the next message is heard", async () => {
  const line = await join();
  const [bad, good] = [await assigned(line), await assigned(line)];
  const change = world.coordinator.farm.change;
  let isBroken = true;
  Object.assign(world.coordinator.farm, {
    change: (...asked: Parameters<typeof change>) => {
      if (!isBroken) return change(...asked);
      isBroken = false;
      return Promise.reject(new Error("a bug"));
    },
  });
  line.say({ type: "report", report: aReport(bad) });
  expect(await line.hear()).toMatchObject({ type: "cancel", fence: bad.fence });
  expect(await line.hear()).toMatchObject({ type: "stale", fence: bad.fence });
  line.say({ type: "report", report: aReport(good) });
  expect(await line.hear()).toMatchObject({ type: "stored", fence: good.fence });
});

test("progress that cannot be used is left out, and its attempt goes on", async () => {
  const line = await join();
  const assignment = await assigned(line);
  line.say({ type: "progress", fence: assignment.fence, progress: { percent: 101 } });
  line.say({ type: "report", report: aReport(assignment) });
  expect(await line.hear()).toMatchObject({ type: "stored", fence: assignment.fence });
});

test("an agent none of whose messages can be used is hung up on in the end", async () => {
  const line = await join();
  const progress = { type: "progress", fence: { epoch: 1, counter: 1 }, progress: { percent: 101 } };
  for (let sent = 0; sent <= mostInvalidMessages; sent += 1) line.say(progress);
  expect(await line.closed).toBe(1008);
});

test("a node that breaks its protocol again and again is hung up on, and put into quarantine with the reason", async () => {
  const { credentials, ...first } = await join();
  first.socket.terminate();
  await first.closed;
  const healthOf = () => world.coordinator.farm.registry.row(credentials.nodeId)?.health;
  for (let nr = 0; nr < mostBreaches; nr += 1) {
    expect(healthOf()).toMatchObject({ state: "sound" });
    const line = await dial();
    line.say(aHello({ credentials }));
    expect(await line.hear()).toMatchObject({ type: "welcome" });
    line.say({ type: "heartbeat", disk: -1 });
    expect(await line.closed).toBe(1008);
  }
  await expect.poll(healthOf).toMatchObject({
    state: "quarantined",
    why: expect.stringContaining("It kept breaking its protocol (the last time it sent what is not a message: disk"),
  });
});

test("a node in quarantine that is hung up on, comes back and lies again costs no write", async () => {
  const { farm } = world.coordinator;
  const first = await join();
  const lieAgain = async (line: Awaited<ReturnType<typeof dial>>) => {
    line.say("soup");
    await line.closed;
    await vi.waitFor(() => expect(farm.registry.isConnected(1)).toBe(false));
  };
  const comeBack = async () => {
    const line = await dial();
    line.say(aHello({ credentials: first.credentials }));
    expect(await line.hear()).toMatchObject({ type: "welcome" });
    return line;
  };
  await lieAgain(first);
  for (let nr = 1; nr < mostBreaches; nr += 1) await lieAgain(await comeBack());
  await vi.waitFor(() => expect(farm.registry.row(1)?.health.state).toBe("quarantined"));
  await farm.settle();
  const written = farm.commits();
  for (let nr = 0; nr < 5; nr += 1) await lieAgain(await comeBack());
  await farm.settle();
  expect(farm.commits() - written).toBe(0);
  await world.clock.advance(60_000);
  const line = await dial();
  line.say(aHello({ credentials: first.credentials, name: "renamed" }));
  await line.hear();
  expect(farm.registry.row(1)?.profile.name).toBe("renamed");
});

test("an agent that describes itself at great length is refused, and nothing of it is kept", async () => {
  const line = await dial();
  line.say({ ...joining(), roots: Array.from({ length: 200 }, (_, nr) => `/${nr}${"x".repeat(3900)}`) });
  expect(await line.hear()).toMatchObject({
    type: "refused",
    message: expect.stringContaining("256000 are the limit"),
  });
  expect(world.coordinator.farm.registry.rows()).toEqual([]);
});

test("no more nodes are enrolled than the farm may have", async () => {
  const { credentials } = await join();
  const { registry } = world.coordinator.farm;
  const [row] = registry.rows();
  const full = vi.spyOn(registry, "rows").mockReturnValue(Array.from({ length: maxNodes }, () => row as NodeRow));
  const late = await dial();
  late.say(joining());
  expect(await late.hear()).toMatchObject({ type: "refused", message: expect.stringContaining("5000 nodes") });
  full.mockRestore();
  expect(registry.rows().map(({ id }) => id)).toEqual([credentials.nodeId]);
});

test("strangers do not fill the log", async () => {
  const lines: string[] = [];
  const { log } = world.coordinator.farm;
  Object.assign(log, { warn: (_fields: object, message: string) => lines.push(message) });
  for (let nr = 0; nr < 50; nr += 1) {
    const line = await dial();
    line.say("soup");
    await line.closed;
  }
  expect(lines).toHaveLength(20);
  await world.clock.advance(60_000);
  const line = await dial();
  line.say("soup");
  await line.closed;
  expect(lines.slice(20)).toEqual(["30 warnings about strangers were left out", expect.stringContaining("not JSON")]);
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

test("a node's free scratch space is what its last heartbeat says", async () => {
  const line = await join();
  const disk = 12_345;
  line.say({ type: "heartbeat", disk });
  // Heard in order: what is answered after it has seen it.
  line.say({ type: "started", fence: { epoch: 1, counter: 1 } });
  await line.hear();
  const [candidate] = world.coordinator.farm.registry.candidates();
  expect(candidate?.offer.node.capacity.disk).toBe(disk);
});

test("messages are handled in the order in which they came, also behind one that takes long to read", async () => {
  const line = await join();
  const fence = (counter: number) => ({ epoch: 1, counter });
  const file = { output: "o", temp: "t", final: "f", size: 1, identity: "i", existing: "fail" };
  line.say({ type: "commit", fence: fence(901), intent: { files: Array.from({ length: 5000 }, () => file) } });
  line.say({ type: "commit", fence: fence(902), intent: { files: [] } });
  line.say({ type: "commit", fence: fence(903), intent: { files: [] } });
  const counters = [await line.hear(), await line.hear(), await line.hear()].map((each) =>
    each.type === "stale" ? each.fence.counter : each.type,
  );
  expect(counters).toEqual([901, 902, 903]);
});
