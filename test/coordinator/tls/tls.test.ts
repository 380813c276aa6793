import { writeFileSync } from "node:fs";
import { type AddressInfo, connect as connectPlainly } from "node:net";
import { join } from "node:path";
import { type ConnectionOptions, connect, type TLSSocket } from "node:tls";
import { type FastifyInstance, fastify } from "fastify";
import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { coordinatorConfig } from "../../../coordinator/config.ts";
import { serveTls, tlsOptions } from "../../../coordinator/http/serve-tls.ts";
import { makeCertificate, newKey } from "../../../coordinator/tls/certificate.ts";
import { certificateWarning, openTls } from "../../../coordinator/tls/tls.ts";
import { aFolder } from "../../helpers/agent/agent-fixture.ts";
import { createTestClock } from "../../helpers/clock.ts";
import { memoryRecords } from "../../helpers/farm/memory-records.ts";

const day = 24 * 3600_000;
const store = { records: memoryRecords() };
const vault = { seal: (text: string) => text, open: (text: string) => text };

/** A server with the administrator's certificate; `put` replaces its files. */
const aServer = async () => {
  const stack = new AsyncDisposableStack();
  const { path, remove } = await aFolder();
  stack.defer(remove);
  const files = { tlsCert: join(path, "cert.pem"), tlsKey: join(path, "key.pem") };
  const put = (subject: string) => {
    const [key, now] = [newKey(), Date.now()];
    const names = ["localhost"];
    writeFileSync(files.tlsCert, makeCertificate({ subject, key, names, from: now - day, until: now + 10 * day }));
    writeFileSync(files.tlsKey, key.export({ type: "pkcs8", format: "pem" }));
  };
  put("first");
  const config = coordinatorConfig.parse({ dataDir: path, ...files });
  const needs = { config, store, vault, clock: createTestClock(), log: pino({ level: "silent" }) };
  const tls = await openTls(needs, "given");
  if (!tls) throw new Error("TLS is missing");
  stack.defer(tls.close);
  const app = fastify({ https: tlsOptions(tls.current()) }) as unknown as FastifyInstance;
  serveTls(app, tls, 0);
  app.get("/", async () => "pages");
  await app.listen({ host: "127.0.0.1", port: 0 });
  stack.defer(() => app.close());
  const { port } = app.server.address() as AddressInfo; // a listening TCP server has one
  return { tls, put, files, port, [Symbol.asyncDispose]: () => stack.disposeAsync() };
};

const greet = (port: number, more: ConnectionOptions = {}): Promise<TLSSocket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", rejectUnauthorized: false, ...more }, () => resolve(socket));
    socket.once("error", reject);
  });

const subjectAt = async (port: number): Promise<string | undefined> => {
  const socket = await greet(port);
  const subject = socket.getPeerX509Certificate()?.subject;
  socket.destroy();
  return subject;
};

const answerTo = (port: number, bytes: string | Buffer): Promise<string> =>
  new Promise((resolve) => {
    let answer = "";
    connectPlainly({ port, host: "127.0.0.1" })
      .on("data", (chunk) => {
        answer += chunk;
      })
      .on("close", () => resolve(answer))
      .on("error", () => undefined)
      .end(bytes);
  });

describe("a TLS server", () => {
  test("takes a new certificate while it serves, and keeps the old one if the files do not fit", async () => {
    await using server = await aServer();
    expect(await subjectAt(server.port)).toBe("CN=first");
    server.put("second");
    await server.tls.lookAgain();
    expect(await subjectAt(server.port)).toBe("CN=second");
    writeFileSync(server.files.tlsKey, "half a ke");
    await server.tls.lookAgain();
    expect(await subjectAt(server.port)).toBe("CN=second");
  });

  test("refuses TLS 1.1", async () => {
    await using server = await aServer();
    const old = { minVersion: "TLSv1.1", maxVersion: "TLSv1.1", ciphers: "ALL:@SECLEVEL=0" } as const;
    await expect(greet(server.port, old)).rejects.toThrow();
  });

  test("closes what is neither TLS nor HTTP, and serves on", async () => {
    await using server = await aServer();
    const hello = Buffer.from([0x16, 3, 1, 0, 5, 1, 2, 3, 4, 5]);
    for (const bytes of [Buffer.from([0, 1, 2]), hello, "SSH-2.0-x\r\n"])
      expect(await answerTo(server.port, bytes)).not.toContain("pages");
    expect(await subjectAt(server.port)).toBe("CN=first");
  });

  test("tells an agent with a ws:// token in words to join again", async () => {
    await using server = await aServer();
    const head = "GET /v1/agent HTTP/1.1\r\nhost: farm:1\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n";
    expect(await answerTo(server.port, head)).toMatch(/^HTTP\/1\.1 426 [\s\S]*join again with the token/);
  });
});

test.each([
  [40, false, undefined],
  [29, false, "ends in 29 days"],
  [1, false, "ends in 1 day:"],
  [-1, false, "has ended"],
  [1, true, undefined],
])("%d days before its end, a certificate (own: %s) needs %s", (days, isOwn, words) => {
  const material = { key: "", certificate: "", authority: undefined, pins: [], endsAt: days * day, isOwn };
  const warning = certificateWarning(material, 0);
  if (words === undefined) expect(warning).toBeUndefined();
  else expect(warning).toContain(words);
});
