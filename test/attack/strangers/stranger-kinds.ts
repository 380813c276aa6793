import { randomBytes } from "node:crypto";
import { setInterval } from "node:timers";
import { connect as connectTls } from "node:tls";
import { uiBase } from "../../../shared/api/ui/ui-api.ts";
import { encodeJoinToken } from "../../../shared/credentials/join-token.ts";
import { introduction } from "../nodes/greetings.ts";
import { ask, askAndNotRead, keepSockets, shout, wire } from "./means.ts";
import { json, type Kinds } from "./ways.ts";
import type { World } from "./world.ts";

const upgrade = ({ agentPath }: World): string =>
  wire(agentPath, {
    ...{ connection: "upgrade", upgrade: "websocket", "sec-websocket-version": "13" },
    "sec-websocket-key": randomBytes(16).toString("base64"),
  });
/** The first frame of an agent, masked, of which nothing more comes. */
const halfFrame = Buffer.concat([
  Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 0x4c, 0x4b, 0x40, 1, 2, 3, 4]),
  Buffer.alloc(500_000),
]);
/** The first bytes of a TLS client's hello. */
const halfHello = Buffer.from([0x16, 3, 1, 2, 0, 1]);
const wrongPair = { authorization: `Basic ${btoa("farm:wrong")}`, "x-service-compliance": "20261101", ...json };
const hashes = '{"a":'.repeat(5000);

/** What strangers do at their worst. */
export const strangerKinds = {
  "silent connections": { who: "stranger", does: (world) => keepSockets(world, 3000, () => undefined) },
  "heads, a byte at a time": {
    who: "stranger",
    does: (world) =>
      keepSockets(world, 500, (socket) => {
        const timer = setInterval(() => (socket.writable ? socket.write("G") : clearInterval(timer)), 100);
      }),
  },
  "bodies, a byte at a time": {
    who: "stranger",
    does: (world) =>
      keepSockets(world, 500, (socket) => {
        socket.write(
          wire(`${uiBase}/session`, { origin: world.origin, ...json, "content-length": "16000" }, { method: "POST" }),
        );
        const timer = setInterval(() => (socket.writable ? socket.write(" ") : clearInterval(timer)), 100);
      }),
  },
  "halves of TLS handshakes": {
    ...{ who: "stranger", needsTls: true },
    does: (world) => keepSockets(world, 2500, (socket) => void socket.write(halfHello)),
  },
  "a flood of TLS handshakes": {
    ...{ who: "stranger", needsTls: true },
    does: (world) =>
      keepSockets(
        world,
        64,
        (socket) => {
          const tls = connectTls({ socket, rejectUnauthorized: false }, () => tls.destroy());
          tls.on("error", () => undefined);
        },
        { apartMs: 0 },
      ),
  },
  "upgrades that say no hello": {
    who: "stranger",
    does: (world) => keepSockets(world, 1500, (socket) => void socket.write(upgrade(world))),
  },
  "halves of WebSocket frames": {
    who: "stranger",
    does: (world) =>
      keepSockets(world, 200, (socket) => {
        socket.write(upgrade(world));
        socket.once("data", () => void socket.write(halfFrame));
      }),
  },
  "hellos with wrong join tokens": {
    who: "stranger",
    does: (world) =>
      keepSockets(
        world,
        50,
        (socket, nr) => {
          socket.write(upgrade(world));
          socket.once("data", () => void socket.write(frameOf(wrongHellos[nr % 2] ?? "")));
        },
        { apartMs: 20 },
      ),
  },
  "upgrades to nowhere": {
    who: "stranger",
    does: (world) =>
      keepSockets(world, 50, (socket) => void socket.write(upgrade({ ...world, agentPath: "/nowhere" })), {
        apartMs: 5,
      }),
  },
  "a pipeline of /healthz": { who: "stranger", does: (world) => shout(world, 4, wire("/healthz").repeat(50)) },
  "a pipeline of /readyz": { who: "stranger", does: (world) => shout(world, 4, wire("/readyz").repeat(50)) },
  "pipelines of the pages": { who: "stranger", does: (world) => shout(world, 4, wire("/").repeat(50)) },
  "one request per connection": {
    who: "stranger",
    does: (world) => ask(world, 32, () => ({ path: "/healthz" }), { isKept: false }),
  },
  "HTTP/1.0": {
    who: "stranger",
    does: (world) =>
      keepSockets(world, 64, (socket) => void socket.write(wire("/healthz", {}, { version: "1.0" })), { apartMs: 5 }),
  },
  "heads as large as they may be": {
    who: "stranger",
    does: (world) => ask(world, 16, () => ({ path: "/healthz", headers: { x: "a".repeat(15_000) } })),
  },
  "queries of 15 kB": {
    who: "stranger",
    does: (world) => ask(world, 16, () => ({ path: `/healthz?${"&".repeat(15_000)}` })),
  },
  "paths that do not exist": {
    who: "stranger",
    does: (world) => ask(world, 32, (nr) => ({ path: `/nowhere/${nr}/${"x".repeat(1000)}` })),
  },
  "150 guessers at one name": {
    who: "stranger",
    does: (world) =>
      ask(
        world,
        150,
        (nr) => ({
          ...{ method: "POST", path: `${uiBase}/session`, headers: { origin: world.origin, ...json } },
          body: JSON.stringify({ name: "Olga", password: `guess ${nr}` }),
        }),
        { addresses: 150 },
      ),
  },
  "guesses at the farm's pair": {
    who: "stranger",
    does: (world) => ask(world, 64, () => ({ path: "/v1/jobs/count", headers: wrongPair })),
  },
  "bodies of deep JSON": {
    who: "stranger",
    does: (world) =>
      ask(world, 16, () => ({
        ...{
          method: "POST",
          path: `${uiBase}/session`,
          headers: { origin: world.origin, ...json },
          body: hashes.slice(0, 16_000),
        },
      })),
  },
  "bodies in gzip and multipart": {
    who: "stranger",
    does: (world) =>
      ask(world, 16, (nr) => ({
        ...{ method: "POST", path: `${uiBase}/session`, body: randomBytes(15_000) },
        headers: {
          origin: world.origin,
          ...(nr % 2 === 0 ? { "content-encoding": "gzip" } : { "content-type": "multipart/form-data; boundary=x" }),
        },
      })),
  },
  "keys of subscriptions that are wrong": {
    who: "stranger",
    does: (world) => ask(world, 32, (nr) => ({ path: `/v1/subscriptions/${nr}.${"A".repeat(43)}` })),
  },
  "150 guessers at the keys of programs": {
    who: "stranger",
    does: (world) =>
      ask(
        world,
        150,
        (nr) => ({
          ...{ method: "POST", path: "/v1/login", headers: { ...world.pair, ...json } },
          body: JSON.stringify({ auth_key: "attacker", auth_secret: `guess ${nr}` }),
        }),
        { addresses: 150 },
      ),
  },
  "answers that nobody reads": {
    who: "stranger",
    does: (world) => askAndNotRead(world, 500, wire("/").repeat(20)),
  },
} as const satisfies Kinds;

const wrongTokens = ["wrong", "0123.wrong"].map((secret) =>
  encodeJoinToken({ url: "ws://127.0.0.1/v1/agent", farmId: "another", secret, pins: [] }),
);
const wrongHellos = wrongTokens.map((joinToken) => JSON.stringify(introduction({ joinToken, name: "nobody" })));

/** A masked text frame of at most 65,535 bytes; the mask is zero. */
const frameOf = (text: string): Buffer => {
  const body = Buffer.from(text);
  const long = body.length > 125;
  const head = Buffer.alloc(long ? 8 : 6);
  head[0] = 0x81;
  head[1] = 0x80 | (long ? 126 : body.length);
  if (long) head.writeUInt16BE(body.length, 2);
  return Buffer.concat([head, body]);
};
