import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { silentLog } from "../../../agent/log.ts";
import { connectToFarm, openConnection } from "../../../agent/session/connection.ts";
import { systemClock } from "../../../shared/basics/system-clock.ts";

const servers: WebSocketServer[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

test("what is asked while a connection closes is answered at its end, and at once after that", async () => {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  servers.push(server);
  await once(server, "listening");
  const peer = once(server, "connection") as Promise<[WebSocket]>;
  const { port } = server.address() as AddressInfo; // it listens on a port, not on a pipe
  const opened = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  const connection = openConnection({
    ...{ url: `ws://127.0.0.1:${port}`, connect: connectToFarm(() => 0), clock: systemClock, log: silentLog },
    ...{ heartbeat: () => ({ type: "heartbeat" }), onMessage: () => undefined },
    onOpen: opened.resolve,
    onClose: closed.resolve,
  });
  await opened.promise;
  expect(await connection.answers()).toBe(true);
  const [other] = await peer;
  other.pause(); // it hears nothing of the end
  const ended = connection.close();
  const answer = connection.answers();
  const soon = new Promise((resolve) => setImmediate(() => resolve("not yet")));
  expect(await Promise.race([answer, soon])).toBe("not yet");
  other.terminate();
  await Promise.all([ended, closed.promise]);
  expect(await answer).toBe(false);
  expect(await connection.answers()).toBe(false);
});
