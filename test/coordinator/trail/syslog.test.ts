import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { coordinatorConfig } from "../../../coordinator/config.ts";
import { openSqlite } from "../../../coordinator/store/sqlite/open.ts";
import type { Store } from "../../../coordinator/store/store.ts";
import { framed, parseSyslogAddress, syslogMessage } from "../../../coordinator/trail/syslog.ts";
import { createSyslogSender } from "../../../coordinator/trail/syslog-sender.ts";
import { createTestClock } from "../../helpers/clock.ts";
import { aFolder, removeFolder, silentLog } from "../../helpers/farm/farm.ts";
import { aLine } from "../store/contract/trail.ts";

let folder: string;
let store: Store;
const clock = createTestClock();

beforeEach(() => {
  folder = aFolder();
  store = openSqlite(folder);
});
afterEach(async () => {
  await store.close();
  removeFolder(folder);
});

const senderTo = (syslog: string) => {
  const config = coordinatorConfig.parse({ dataDir: folder, syslog });
  return createSyslogSender({ config, clock: clock as never, log: silentLog, store, host: "farm one" }); // a farm's clock can do more
};

test("a message is what RFC 5424 asks for, whatever is in the line", () => {
  const line = aLine('note="Ä"', { id: 7, who: 'A "B" \\ [C]', outcome: "NOT_ALLOWED", hash: "ab" } as never);
  expect(syslogMessage({ id: 7, hash: "ab", ...line }, { host: "farm one", pid: 12 })).toBe(
    '<108>1 2026-09-21T14:13:20.123Z farm_one mediafarm 12 stopJob [mediafarm@32473 id="7" who="A \\"B\\" \\\\ [C\\]" origin="192.0.2.7" action="stopJob" outcome="NOT_ALLOWED" hash="ab"] note="Ä"',
  );
  expect(framed("Ä")).toBe("2 Ä");
});

test("addresses are read, and others are refused with what is possible", () => {
  expect(["udp://logs", "tcp://logs:1601", "tls://[::1]", "unix:/run/log.sock"].map(parseSyslogAddress)).toEqual([
    { kind: "udp", host: "logs", port: 514 },
    { kind: "tcp", host: "logs", port: 1601 },
    { kind: "tls", host: "::1", port: 6514 },
    { kind: "unix", path: "/run/log.sock" },
  ]);
  for (const wrong of ["logs", "http://logs", "udp://", "unix:relative"])
    expect(() => parseSyslogAddress(wrong)).toThrow(/must be udp:\/\/HOST:PORT/);
});

/** A stream server that takes messages apart by their lengths. */
const openServer = async (where: object): Promise<{ server: Server; messages: string[]; sockets: Socket[] }> => {
  const messages: string[] = [];
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    let rest = Buffer.alloc(0);
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      rest = Buffer.concat([rest, chunk]);
      for (let space = rest.indexOf(32); space > 0; space = rest.indexOf(32)) {
        const end = space + 1 + Number(rest.toString("latin1", 0, space));
        if (rest.length < end) return;
        messages.push(rest.toString("utf8", space + 1, end));
        rest = rest.subarray(end);
      }
    });
  }).listen(where);
  await once(server, "listening");
  return { server, messages, sockets };
};

const abouts = (messages: readonly string[]): string[] => messages.map((text) => text.split("] ").at(-1) ?? "");
const arrived = async (messages: readonly string[], count: number): Promise<void> => {
  while (messages.length < count) await new Promise((resolve) => setImmediate(resolve));
};

test("lines go to a stream socket of this machine once each, also those written while the server was down", async () => {
  const path = join(folder, "log.sock");
  const sender = senderTo(`unix:${path}`);
  await store.trail.add([aLine("nr=1"), aLine("nr=Ä2")], 100);
  await sender.look(); // nobody listens
  const { server, messages, sockets } = await openServer({ path });
  await sender.look(); // too early to try again
  expect(messages).toEqual([]);
  await clock.advance(30_000);
  await sender.look();
  await store.trail.add([aLine("nr=3")], 100);
  await sender.look();
  await arrived(messages, 3);
  expect(abouts(messages)).toEqual(["nr=1", "nr=Ä2", "nr=3"]);
  sender.close();
  const next = senderTo(`unix:${path}`); // after a restart it goes on where it was
  await store.trail.add([aLine("nr=4")], 100);
  await next.look();
  await arrived(messages, 4);
  expect(abouts(messages).slice(3)).toEqual(["nr=4"]);
  next.close();
  for (const socket of sockets) socket.destroy();
  server.close();
});

test("over UDP each line is a datagram", async () => {
  const socket = createSocket("udp4");
  const messages: string[] = [];
  socket.on("message", (bytes) => messages.push(bytes.toString("utf8")));
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  const sender = senderTo(`udp://127.0.0.1:${socket.address().port}`);
  await store.trail.add([aLine("nr=1"), aLine("nr=2")], 100);
  await sender.look();
  await arrived(messages, 2);
  expect(abouts(messages)).toEqual(["nr=1", "nr=2"]);
  sender.close();
  socket.close();
});
