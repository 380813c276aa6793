import { createHash } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { readResuming } from "../../agent/storage/resuming-read.ts";
import type { Storage } from "../../agent/storage/storage.ts";
import { openFolder } from "../helpers/agent/open-storage.ts";
import { createTestClock } from "../helpers/clock.ts";

/** Large enough that it is read straight from the socket. */
const whole = Buffer.alloc(3 * 1024 * 1024, "media of three megabytes ");
const etag = '"one"';

type Asked = { readonly method: string; readonly path: string; readonly from: number; readonly turn: number };
/** Answers one request; whatever it does to the socket is what the server does. */
type Conduct = (socket: Socket, asked: Asked) => void;

const ends: (() => void)[] = [];
afterEach(() => ends.splice(0).forEach((end) => void end()));

const head = (status: string, headers: Readonly<Record<string, string | number>>): string =>
  [`HTTP/1.1 ${status}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), "", ""].join("\r\n");

/** A server that speaks for itself: Node's own would not lie. */
const aServer = async (conduct: Conduct): Promise<{ storage: Storage; folder: string; turns: () => number }> => {
  let turn = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => undefined));
    socket.on("data", (bytes) => {
      const text = bytes.toString("latin1");
      const [, method = "", path = ""] = /^(\w+) (\S+)/.exec(text) ?? [];
      const from = Number(/range: bytes=(\d+)/i.exec(text)?.[1] ?? 0);
      if (method === "HEAD") socket.write(head("200 OK", { "content-length": whole.length, etag }));
      else conduct(socket, { method, path, from, turn: turn++ });
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  ends.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const folder = `http://127.0.0.1:${(server.address() as AddressInfo).port}/in`; // it listens on a port
  return { storage: openFolder(folder), folder, turns: () => turn };
};

const send = (socket: Socket, from: number, to = whole.length, claimed = whole.length - from): void => {
  const range: Record<string, string> =
    from > 0 ? { "content-range": `bytes ${from}-${whole.length - 1}/${whole.length}` } : {};
  socket.write(head(from > 0 ? "206 Partial Content" : "200 OK", { "content-length": claimed, etag, ...range }));
  socket.write(whole.subarray(from, to));
};

const digest = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

const readAll = async ({ storage, folder }: { storage: Storage; folder: string }): Promise<string> => {
  const clock = createTestClock();
  const parts: Buffer[] = [];
  const seen = { isFile: true, size: whole.length, modified: 0, tag: etag };
  const { signal } = new AbortController();
  const passing = setInterval(() => void clock.advance(15_000), 5); // waits between tries pass at once
  ends.push(() => clearInterval(passing));
  const reading = readResuming({ storage, uri: `${folder}/a.mov`, seen, range: { from: 0 }, clock, signal });
  for await (const part of reading) parts.push(Buffer.from(part));
  return digest(Buffer.concat(parts));
};

describe("a server that", () => {
  test("resets the connection in the middle is asked for the rest", async () => {
    const server = await aServer((socket, { from, turn }) => {
      send(socket, from, turn === 0 ? 1_500_000 : undefined);
      if (turn === 0) setTimeout(() => socket.resetAndDestroy(), 50);
    });
    expect([await readAll(server), server.turns()]).toEqual([digest(whole), 2]);
  });

  test("ends early though it promised more is asked for the rest", async () => {
    const server = await aServer((socket, { from, turn }) => {
      send(socket, from, turn === 0 ? 1_500_000 : undefined);
      if (turn === 0) socket.end();
    });
    expect([await readAll(server), server.turns()]).toEqual([digest(whole), 2]);
  });

  test("says that a file is shorter than it was, and sends so much, fails: it was cut short", async () => {
    const server = await aServer((socket, { from }) => send(socket, from, 2_000_000, 2_000_000 - from));
    await expect(readAll(server)).rejects.toThrow(/cut short/);
  });

  test("sends more than it says is read to the end of the file, and no further", async () => {
    const server = await aServer((socket, { from }) => {
      send(socket, from);
      socket.write(Buffer.alloc(100_000, "more"));
    });
    expect(await readAll(server)).toBe(digest(whole));
  });

  test("answers a range with the whole file fails instead of joining bytes that do not belong together", async () => {
    const server = await aServer((socket, { turn }) => {
      send(socket, 0, turn === 0 ? 1_500_000 : undefined);
      if (turn === 0) setTimeout(() => socket.resetAndDestroy(), 50);
    });
    await expect(readAll(server)).rejects.toThrow(/cannot resume in the middle/);
  });

  test("answers a range with another one fails too", async () => {
    const server = await aServer((socket, { from, turn }) => {
      if (turn > 0) {
        const wrong = { "content-range": `bytes 0-${whole.length - from - 1}/${whole.length}` };
        socket.write(head("206 Partial Content", { "content-length": whole.length - from, ...wrong }));
        return void socket.write(whole.subarray(0, whole.length - from));
      }
      send(socket, from, 1_500_000);
      setTimeout(() => socket.resetAndDestroy(), 50);
    });
    await expect(readAll(server)).rejects.toThrow(/sends other bytes than those asked for/);
  });

  test("redirects in a circle is left after five times", async () => {
    const server = await aServer((socket, { path }) =>
      socket.write(head("302 Found", { location: `${path}x`, "content-length": 0 })),
    );
    await expect(readAll(server)).rejects.toThrow(/redirects too many times/);
    expect(server.turns()).toBe(6);
  });

  test.each([
    ["no HTTP", "220 ftp.example ready\r\n"],
    ["an endless header", `HTTP/1.1 200 OK\r\nx-a: ${"a".repeat(200_000)}`],
    ["a length that is no number", "HTTP/1.1 200 OK\r\ncontent-length: many\r\n\r\n"],
    ["two lengths", "HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 7\r\n\r\n1234567"],
  ])("answers with %s fails with the address in its words", async (_, answer) => {
    const server = await aServer((socket) => socket.write(answer));
    await expect(readAll(server)).rejects.toThrow(`${server.folder}/a.mov`);
  });
});
