import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import { doorLimits } from "../../../coordinator/config.ts";
import { mostPipelined } from "../../../coordinator/http/pipelines.ts";
import { agentPath } from "../../../shared/api/api.ts";
import { decodeJoinToken } from "../../../shared/credentials/join-token.ts";
import { openTestCoordinator, type TestCoordinator } from "../../helpers/farm/coordinator.ts";
import { aFolder, aHello, removeFolder } from "../../helpers/farm/farm.ts";

const usualLimits = doorLimits.parse({});

let folder: string;
let world: TestCoordinator;
let sockets: Socket[];
let agents: WebSocket[];

beforeEach(async () => {
  folder = aFolder();
  world = await openTestCoordinator(folder);
  [sockets, agents] = [[], []];
});

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  for (const agent of agents) agent.terminate();
  await world.coordinator.close();
  removeFolder(folder);
});

const open = async (text = ""): Promise<Socket> => {
  const { hostname, port } = new URL(world.origin);
  const socket = connect(Number(port), hostname).on("error", () => undefined);
  sockets.push(socket);
  await once(socket, "connect");
  socket.write(text);
  return socket;
};

/** Its end may be an error, such as a reset. */
const gone = (socket: Socket): Promise<void> => new Promise((resolve) => void socket.once("close", () => resolve()));

/** Some at a time: the system's own queue of connections is short. */
const openMany = async (amount: number, text?: string): Promise<void> => {
  for (let nr = 0; nr < amount; nr += 100)
    await Promise.all(Array.from({ length: Math.min(100, amount - nr) }, () => open(text)));
};

const joining = async () => {
  const agent = new WebSocket(decodeJoinToken(world.coordinator.joinToken).url);
  agents.push(agent);
  await once(agent, "open");
  agent.send(JSON.stringify(aHello({ credentials: { joinToken: world.coordinator.joinToken } })));
  const [data] = await once(agent, "message");
  return JSON.parse(String(data));
};

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`;
const upgrade = `GET ${agentPath} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: ${randomBytes(16).toString("base64")}\r\n\r\n`;

test.each([
  ["silent", usualLimits.strangers, ""],
  ["idle after an answer", usualLimits.sockets, get("/healthz")],
  ["of agents that never say hello", usualLimits.strangers, upgrade],
])(
  "many connections, %s, keep out neither programs nor nodes",
  async (_, room, text) => {
    expect(await joining()).toMatchObject({ type: "welcome" });
    await openMany(room + 200, text);
    expect((await world.api("GET", "/nodes")).body.items).toMatchObject([{ presence: "online" }]);
    expect(await joining()).toMatchObject({ type: "welcome" });
    expect(agents.map(({ readyState }) => readyState)).toEqual([WebSocket.OPEN, WebSocket.OPEN]);
  },
  60_000,
);

test("500 nodes behind one address all come in at once, while strangers of that address are silent", async () => {
  await openMany(usualLimits.strangers);
  const welcomes = await Promise.all(Array.from({ length: 500 }, joining));
  expect(welcomes.filter(({ type }) => type === "welcome").length).toBe(500);
}, 60_000);

/** The first frame of an agent, masked, of which only `sent` bytes ever come. */
const unfinishedFrame = (announced: number, sent: number): Buffer => {
  const head = Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4]);
  head.writeBigUInt64BE(BigInt(announced), 2);
  return Buffer.concat([head, Buffer.alloc(sent)]);
};

test("first frames that never end hold a bounded amount of memory, and a node still comes in", async () => {
  const mb = 1024 * 1024;
  const frame = unfinishedFrame(5 * mb, 1 * mb);
  for (let nr = 0; nr < 100; nr++) {
    const socket = await open(upgrade);
    await once(socket, "data");
    socket.write(frame);
  }
  await pause(500);
  const isOpen = sockets.filter(({ closed }) => !closed).length;
  expect(isOpen * mb).toBeLessThanOrEqual(usualLimits.heldBytes + mb);
  expect(await joining()).toMatchObject({ type: "welcome" });
}, 60_000);

test("more than a hello is not read of an agent that is not known", async () => {
  const socket = await open(upgrade);
  await once(socket, "data");
  socket.write(unfinishedFrame(5_000_000, 1_500_000));
  await gone(socket);
});

test("requests that a connection sends at once are answered in order, one after the other", async () => {
  const socket = await open();
  let heard = "";
  socket.on("data", (data) => {
    heard += data;
  });
  socket.write(get("/healthz") + get("/nothing") + get("/healthz"));
  while ((heard.match(/HTTP\/1\.1/g) ?? []).length < 3) await once(socket, "data");
  expect(heard.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 404", "HTTP/1.1 200"]);
});

test("a connection on which too many requests wait is cut off, and others are served", async () => {
  const socket = await open();
  let answers = 0;
  socket.on("data", (data) => {
    answers += String(data).match(/HTTP\/1\.1 200/g)?.length ?? 0;
  });
  socket.write(get("/healthz").repeat(20_000));
  await gone(socket);
  expect(answers).toBeLessThanOrEqual(mostPipelined + 1);
  expect((await world.api("GET", "/jobs/count")).status).toBe(200);
});
