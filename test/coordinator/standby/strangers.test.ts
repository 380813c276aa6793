import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { connect as connectTls } from "node:tls";
import { afterEach, expect, test } from "vitest";
import { startStandbyServer } from "../../../coordinator/standby/standby-server.ts";
import { makeCertificate, newKey } from "../../../coordinator/tls/certificate.ts";
import type { Material } from "../../../coordinator/tls/material.ts";

const leader = "http://leader.lan:8700";
const upgrade = "GET /v1/agent HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: websocket\r\n";
const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

type Standby = Awaited<ReturnType<typeof startStandbyServer>> & { readonly port: number };
let opened: (Socket | Standby)[] = [];
afterEach(async () => {
  for (const each of opened) "port" in each ? await each.close() : each.destroy();
  opened = [];
});

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // a listening TCP server has one
  await new Promise((resolve) => server.close(resolve));
  return port;
};

type Given = { readonly tls?: Material; readonly most?: number; readonly ask?: () => Promise<string> };

const aStandby = async ({ tls, most, ask = async () => leader }: Given = {}): Promise<Standby> => {
  const port = await freePort();
  const server = await startStandbyServer({ host: "127.0.0.1", port, ...(most && { most }) }, tls, ask);
  const standby = { ...server, port };
  opened.push(standby);
  return standby;
};

/** Somebody who keeps his end of the connection open. */
const stranger = async (port: number, says = ""): Promise<Socket> => {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true }).on("error", () => undefined);
  opened.push(socket);
  await once(socket, "connect");
  socket.write(says);
  return socket;
};

const answerTo = async (port: number, says: string | Buffer): Promise<string> => {
  const socket = connect(port, "127.0.0.1").on("error", () => undefined);
  opened.push(socket);
  socket.write(says);
  return text(socket).catch(() => "");
};
const statusOf = (answer: string): string | undefined => /^HTTP\/1.1 (\d+)/.exec(answer)?.[1];

const key = newKey();
const dates = { from: 0, until: Date.UTC(2090, 1) };
const ownTls: Material = {
  key: key.export({ type: "pkcs8", format: "pem" }).toString(),
  certificate: makeCertificate({ subject: "S", key, names: ["127.0.0.1"], ...dates }),
  ...{ authority: undefined, pins: [], endsAt: dates.until, isOwn: true },
};

test.each([
  ["says nothing", ""],
  ["begins a head", "GET / HTTP/1.1\r\nHost"],
  ["begins a body", "POST /v1/jobs HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n{"],
  ["keeps an upgraded connection open", `${upgrade}\r\n`],
  ["goes on behind an upgrade", `${upgrade}\r\n${"x".repeat(100_000)}`],
  ["asks again and again", get("/v1/jobs").repeat(1000)],
  ["waits to be told to go on", "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n"],
])("a stranger who %s does not keep this coordinator from leading", async (_, says) => {
  const { port, close } = await aStandby();
  const socket = await stranger(port, says);
  // What it says has arrived.
  expect(statusOf(await answerTo(port, get("/healthz")))).toBe("200");
  await close();
  opened.push(socket);
});

test.each([
  ["never begins a handshake", ""],
  ["begins a handshake", "\u0016\u0003\u0001\u0002\u0000"],
])("nor does one over TLS who %s", async (_, says) => {
  const { port, close } = await aStandby({ tls: ownTls });
  await stranger(port, says);
  const guest = connectTls({ port, host: "127.0.0.1", rejectUnauthorized: false });
  opened.push(guest);
  guest.end(get("/healthz"));
  expect(statusOf(await text(guest))).toBe("200");
  await close();
});

test("an upgraded connection ends with its answer, whatever its other end does", async () => {
  const { port } = await aStandby();
  const socket = await stranger(port, `${upgrade}\r\n`);
  socket.resume();
  await once(socket, "end");
  // One that was only half closed would take all of this.
  const more = setInterval(() => socket.write("x"), 10);
  await new Promise((resolve) => socket.once("close", resolve));
  clearInterval(more);
});

test("strangers who take all the room are pushed out by who asks", async () => {
  const { port } = await aStandby({ most: 20 });
  const silent: Socket[] = [];
  for (let nr = 0; nr < 60; nr += 1) silent.push(await stranger(port));
  expect(statusOf(await answerTo(port, get("/healthz")))).toBe("200");
  expect(statusOf(await answerTo(port, get("/v1/jobs")))).toBe("307");
});

test("who asks whether it lives does not wait for the store", async () => {
  const { port } = await aStandby({ ask: () => new Promise(() => undefined) });
  for (const path of ["/healthz", "/readyz", "/healthz?a=b"])
    expect([path, statusOf(await answerTo(port, get(path)))]).toEqual([path, path === "/readyz" ? "503" : "200"]);
});

test("no byte of a path and no head ends it, or leads elsewhere", async () => {
  const { port } = await aStandby();
  const bytes = Array.from({ length: 256 }, (_, nr) => Buffer.from([nr]));
  const ways = [
    ...bytes.map((byte) => Buffer.concat([Buffer.from("GET /a"), byte, Buffer.from("b HTTP/1.1\r\nHost: a\r\n\r\n")])),
    ...bytes.map((byte) => Buffer.concat([Buffer.from("GET /a"), byte, Buffer.from(`b${upgrade.slice(13)}\r\n`)])),
    ...[
      "CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n",
      "GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n",
      "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET /x HTTP/1.1\r\nHost: a\r\nHost: evil.example\r\n\r\n",
      "GET /x HTTP/1.1\r\nHost: a\r\nX-Forwarded-Host: evil.example\r\n\r\n",
      "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      `GET /x HTTP/1.1\r\nHost: a\r\nX: ${"y".repeat(100_000)}\r\n\r\n`,
      `GET /${"x".repeat(100_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
      "GET //evil.example/x HTTP/1.1\r\nHost: a\r\n\r\n",
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
      "\u0000\u0001\u0002\r\n\r\n",
    ].map((each) => Buffer.from(each, "latin1")),
  ];
  for (const each of ways) {
    const places = [...(await answerTo(port, each)).matchAll(/^location: (.*)$/gim)].map(([, place = ""]) => place);
    for (const place of places) expect(new URL(place).origin).toBe(leader);
  }
  expect(statusOf(await answerTo(port, get("/healthz")))).toBe("200");
});

test("who sends a whole body before reading is answered, and the connection stays until the end of it", async () => {
  const { port } = await aStandby();
  const body = Buffer.alloc(4e6, "x");
  const half = body.length / 2;
  const socket = await stranger(port, `POST /v1/jobs HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n`);
  const heard: string[] = [];
  socket.on("data", (bytes) => heard.push(String(bytes))).on("end", () => heard.push("the end"));
  socket.write(body.subarray(0, half));
  await once(socket, "data");
  for (let tries = 0; tries < 5; tries += 1) await answerTo(port, get("/v1/jobs")); // it had time to hang up
  const before = heard.join("");
  socket.write(body.subarray(half));
  await once(socket, "end");
  expect([statusOf(before), before.includes("the end"), heard.at(-1)]).toEqual(["307", false, "the end"]);
});
