import { readFileSync } from "node:fs";
import {
  createServer,
  type IncomingMessage,
  Agent as PlainAgent,
  get as plainGet,
  type RequestListener,
} from "node:http";
import { createServer as createTlsServer, Agent as TlsAgent, get as tlsGet } from "node:https";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { piecesOf } from "../../../agent/outbound/body.ts";
import { guarded } from "../../../agent/outbound/guarded-agent.ts";
import { aFolder } from "../../helpers/agent/agent-fixture.ts";
import { makeCertificate } from "../../servers/process.ts";

const guard = { check: async (host: string) => host };
/** A pattern that repeats nowhere near. */
const film = Buffer.alloc(5_000_001);
for (let at = 0; at + 4 <= film.length; at += 4) film.writeUInt32LE(Math.imul(at, 2_654_435_761) >>> 0, at);

let folder: Awaited<ReturnType<typeof aFolder>>;
let paths: ReturnType<typeof makeCertificate>;
beforeAll(async () => {
  folder = await aFolder();
  paths = makeCertificate(folder.path);
});
afterAll(() => folder.remove());

const opened: { close(): unknown }[] = [];
afterEach(() => {
  for (const each of opened.splice(0)) each.close();
});

describe.each(["http", "https"])("the body of an answer over %s", (scheme) => {
  const ask = async (listener: RequestListener): Promise<IncomingMessage> => {
    const [cert, key] = [readFileSync(paths.certificate), readFileSync(paths.key)];
    const server = scheme === "http" ? createServer(listener) : createTlsServer({ cert, key }, listener);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const agent = scheme === "http" ? guarded(new PlainAgent(), guard) : guarded(new TlsAgent({ ca: cert }), guard);
    opened.push(server, { close: () => server.closeAllConnections() });
    const url = `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}/`; // it listens on a port
    return new Promise((resolve, reject) => {
      (scheme === "http" ? plainGet : tlsGet)(url, { agent }, resolve).on("error", reject);
    });
  };

  /** All bytes, by a reader that is sometimes slow; and how many memories they came in. */
  const readAll = async (message: IncomingMessage) => {
    const parts: Buffer[] = [];
    const memories = new Set<ArrayBufferLike>();
    for await (const piece of piecesOf(message)) {
      const before = Buffer.from(piece);
      if (parts.length % 7 === 0) await pause(5);
      expect(before.equals(piece)).toBe(true); // nobody wrote to it while it was ours
      memories.add(piece.buffer);
      parts.push(before);
    }
    return { bytes: Buffer.concat(parts), memories: memories.size };
  };

  test("arrives whole, in a few memories that are used again", async () => {
    const message = await ask((_, response) => {
      response.setHeader("content-length", film.length);
      response.end(film);
    });
    const { bytes, memories } = await readAll(message);
    expect(bytes.equals(film)).toBe(true);
    expect(memories).toBeLessThanOrEqual(8);
  });

  test("arrives whole where the server does not say how long it is", async () => {
    const message = await ask((_, response) => {
      response.write(film.subarray(0, 1_000_000));
      response.end(film.subarray(1_000_000));
    });
    expect((await readAll(message)).bytes.equals(film)).toBe(true);
  });

  test("arrives whole where its first bytes come long before the others", async () => {
    const message = await ask((_, response) => {
      response.setHeader("content-length", film.length);
      response.write(film.subarray(0, 100));
      setTimeout(() => response.end(film.subarray(100)), 50);
    });
    expect((await readAll(message)).bytes.equals(film)).toBe(true);
  });

  test("ends with an error where the connection breaks off", async () => {
    const message = await ask((_, response) => {
      response.setHeader("content-length", film.length);
      response.write(film.subarray(0, 2_000_000), () => response.destroy());
    });
    await expect(readAll(message)).rejects.toThrow(/aborted|closed/);
  });
});
