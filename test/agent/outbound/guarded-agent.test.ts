import { createServer, type RequestListener, type Server } from "node:http";
import { type AddressInfo, createServer as createSocketServer } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { passThrough } from "../../../agent/checkpoint.ts";
import { createGuard, createNodeGuard, type Resolve } from "../../../agent/outbound/guard.ts";
import { openStorages, providers } from "../../../agent/storage/index.ts";
import { createKeys } from "../../../agent/storage/keys.ts";
import { systemClock } from "../../../shared/basics/system-clock.ts";
import type { WrittenCredential } from "../../../shared/credentials/credentials.ts";
import { parseRule } from "../../../shared/outbound/rules.ts";
import { readForeign } from "../../helpers/agent/read-foreign.ts";
import { readCredential } from "../../helpers/secrets/credentials.ts";

const servers: { close(): unknown }[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A web server on this machine; counts who comes. */
const aWebServer = async (answer: RequestListener = (_, response) => void response.end("secret")) => {
  let requests = 0;
  const server: Server = createServer((request, response) => {
    requests += 1;
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  servers.push({ close: () => server.close() });
  const { port } = server.address() as AddressInfo; // it listens on a port
  return { port, requests: () => requests };
};

/** A port of this machine that counts connections. */
const aPort = async () => {
  let connections = 0;
  const server = createSocketServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  servers.push(server);
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
};

const storageBy = (rules: readonly string[], credential?: WrittenCredential, resolve?: Resolve) =>
  openStorages({
    ...{ mounts: [], providers, checkpoint: passThrough, clock: systemClock, patience: [], locate: (uri) => uri },
    roots: {} as never, // no file of this node is asked for
    keys: createKeys(
      credential
        ? ["s3://bucket", "swift://box"].map((prefix) => ({ prefix, credential: readCredential(credential) }))
        : [],
    ),
    hostKeys: { check: async () => "new" },
    read: readForeign,
    guard: createGuard(() => rules.flatMap((rule) => parseRule(rule) ?? []), resolve),
  });

const problemOf = (done: Promise<unknown>): Promise<string> =>
  done.then(
    () => "nothing is refused",
    (error: Error) => error.message,
  );

const refusal = (what: string, host: string) =>
  `${what} is a loopback address, which this node may not reach. An owner of the farm allows it with: mediafarm outbound add ${host}; the node's operator with --allow-outbound`;

describe("storage reaches nothing that the rules do not allow", () => {
  const secret = { access_key_id: "a", secret_access_key: "b" };
  test.each([
    ["http", (port: number) => `http://127.0.0.1:${port}/a`, undefined],
    ["ftp", (port: number) => `ftp://127.0.0.1:${port}/a`, undefined],
    ["sftp", (port: number) => `sftp://me@127.0.0.1:${port}/a`, undefined],
    ["s3", () => "s3://bucket/a", (port: number) => ({ kind: "s3", endpoint: `http://127.0.0.1:${port}`, ...secret })],
    [
      "swift",
      () => "swift://box/a",
      (port: number) => ({ kind: "swift", auth_url: `http://127.0.0.1:${port}/auth`, username: "a", password: "b" }),
    ],
  ])("over %s", async (_kind, uriOf, credentialOf) => {
    const { port, connections } = await aPort();
    const uri = uriOf(port);
    const credential = credentialOf?.(port) as WrittenCredential | undefined; // as the vault gives it
    expect(await problemOf(storageBy(["public"], credential)(uri).stat(uri))).toBe(refusal("127.0.0.1", "127.0.0.1"));
    expect(connections()).toBe(0);
    await problemOf(storageBy([`127.0.0.1:${port}`], credential)(uri).stat(uri));
    expect(connections()).toBeGreaterThan(0);
  });

  test("however an address is written", async () => {
    const { port, requests } = await aWebServer();
    for (const host of ["2130706433", "0x7f.1", "[::1]", "[::ffff:127.0.0.1]", "localhost"]) {
      const uri = `http://${host}:${port}/a`;
      expect(await problemOf(storageBy(["public"])(uri).stat(uri))).toContain("is a loopback address");
    }
    expect(requests()).toBe(0);
  });

  test("nor by a name whose address changes after it was checked", async () => {
    const { port, requests } = await aWebServer();
    const answers = [["93.184.216.34"], ["127.0.0.1"]];
    let asked = 0;
    const resolve: Resolve = async () => answers[Math.min(asked++, 1)] ?? [];
    const uri = `http://turns.example:${port}/a`;
    const storage = storageBy([`127.0.0.1:${port}`, "turns.example:1"], undefined, resolve);
    expect(await problemOf(storage(uri).stat(uri))).toContain("turns.example (93.184.216.34)");
    expect([asked, requests()]).toEqual([1, 0]);
  });

  test("nor by a redirect", async () => {
    const inside = await aWebServer();
    const outside = await aWebServer((_, response) => {
      response.writeHead(302, { location: `http://127.0.0.2:${inside.port}/latest` }).end();
    });
    const uri = `http://127.0.0.1:${outside.port}/a`;
    expect(await problemOf(storageBy(["127.0.0.1"])(uri).stat(uri))).toBe(refusal("127.0.0.2", "127.0.0.2"));
    expect([outside.requests(), inside.requests()]).toEqual([1, 0]);
  });

  test("a metadata service only by a rule with its address", async () => {
    const uri = "http://169.254.169.254/latest/meta-data/";
    const storage = storageBy(["public", "169.254.0.0/16"]);
    expect(await problemOf(storage(uri).stat(uri))).toContain("169.254.169.254 is a metadata address");
  });
});

test("the farm's rules count beside the node's own, and may change at any time", async () => {
  const { guard, take } = createNodeGuard(undefined);
  const check = () => problemOf(guard.check("10.0.0.5", 445));
  expect(await check()).toContain("10.0.0.5 is a private address");
  take(["10.0.0.0/8"]);
  expect(await check()).toBe("nothing is refused");
  take([]);
  expect(await check()).toContain("10.0.0.5 is a private address");
  expect(await problemOf(createNodeGuard(["10.0.0.5"]).guard.check("10.0.0.5", 1))).toBe("nothing is refused");
});
