import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { retryAfterMs } from "../../../../agent/outbound/retry-after.ts";
import { createPatience, retry, waitAfter } from "../../../../agent/storage/retry.ts";
import { failureAt } from "../../../../agent/storage/storage-error.ts";
import { openFolder } from "../../../helpers/agent/open-storage.ts";
import { createTestClock, turns } from "../../../helpers/clock.ts";

const patience = createPatience(30);
const crowded = (afterMs?: number) => failureAt("http://host/a", "failing", "status 503", afterMs);

test("Retry-After is read as seconds and as a date by the server's clock", () => {
  const date = "Sun, 06 Nov 1994 08:49:37 GMT";
  const found = ["120", "1.5", "Sun, 06 Nov 1994 08:50:07 GMT", "Sun, 06 Nov 1994 08:00:00 GMT", "soon", "-5"].map(
    (text) => retryAfterMs({ "retry-after": text, date }),
  );
  expect(found).toEqual([120_000, 1500, 30_000, 0, 0, 0]);
  expect([retryAfterMs({ date }), retryAfterMs({ "retry-after": date })]).toEqual([0, 0]);
});

test("a server's wait is kept, at least the usual one and at most a minute", () => {
  expect([undefined, 100, 7000, 3_600_000].map((ms) => waitAfter(crowded(ms), patience, 0))).toEqual([
    ...[500, 500, 7000, 60_000],
  ]);
  expect(waitAfter(crowded(7000), patience, patience.length)).toBeUndefined();
});

test("an operation is not repeated before the server asks for it", async () => {
  const clock = createTestClock();
  let tries = 0;
  const done = retry({
    ...{ patience, clock, signal: undefined },
    act: async () => {
      tries += 1;
      if (tries === 1) throw crowded(7000);
      return "done";
    },
  });
  await turns();
  await clock.advance(6999);
  expect(tries).toBe(1);
  await clock.advance(1);
  expect([await done, tries]).toEqual(["done", 2]);
});

test.each([
  ["http", (port: number) => `http://127.0.0.1:${port}/out`, undefined],
  [
    "s3",
    () => "s3://bucket/out",
    (port: number) => ({
      kind: "s3",
      access_key_id: "A",
      secret_access_key: "S",
      endpoint: `http://127.0.0.1:${port}`,
    }),
  ],
])("an answer of %s that asks to wait says so in its error", async (_, folderAt, credentialAt) => {
  const server = createServer((_, response) => response.writeHead(503, { "retry-after": "0.04" }).end());
  server.listen(0, "127.0.0.1");
  onTestFinished(() => void server.close().closeAllConnections());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // it listens on a port
  const folder = folderAt(port);
  const storage = openFolder(folder, { credential: credentialAt?.(port) as never });
  await expect(storage.stat(`${folder}/a.mov`)).rejects.toMatchObject({ isPassing: true, afterMs: 40 });
});
