import { once } from "node:events";
import { createServer, get, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { FastifyReply } from "fastify";
import { afterEach, expect, test, vi } from "vitest";
import { doorLimits } from "../../../coordinator/config.ts";
import { createListeners, openEventStream } from "../../../coordinator/http/event-stream.ts";
import { createTestClock, turns } from "../../helpers/clock.ts";

const listeners = createListeners(doorLimits.parse({}));
const allowed = (isStillAllowed: () => boolean | Promise<boolean> = () => true) => ({
  ...{ listeners, who: "somebody", isStillAllowed },
});

const server = createServer().listen(0, "127.0.0.1");
afterEach(() => server.closeAllConnections());

/** A request that waits for its answer, as Fastify hands it over. */
const aListener = async () => {
  const arrived = once(server, "request");
  const request = get({ port: (server.address() as AddressInfo).port, host: "127.0.0.1", agent: false });
  request.on("error", () => {}); // some tests leave before the answer
  const [, raw] = (await arrived) as [IncomingMessage, ServerResponse];
  const errors: Error[] = [];
  raw.on("error", (problem) => errors.push(problem));
  const reply = { hijack: () => reply, raw } as unknown as FastifyReply; // all that a stream uses
  return { request, reply, raw, errors };
};

test("where many listen, events gather longer, so that all streams together are written to about as often", () => {
  const some = createListeners(doorLimits.parse({ streams: 1000 }));
  const gathered = [5, 45, 50, 800].map((more) => {
    for (let nr = 0; nr < more; nr += 1) some.enter("somebody");
    return some.gatherMs();
  });
  expect(gathered).toEqual([12.5, 125, 250, 500]);
  const few = createListeners(doorLimits.parse({}));
  for (let nr = 0; nr < 3; nr += 1) few.enter("somebody");
  expect(few.gatherMs()).toBe(0);
});

test("what a listener has yet to read is not written piece by piece: it comes as one, in its order, once there is room", async () => {
  const { request, reply, raw } = await aListener();
  const answered = once(request, "response");
  const stream = openEventStream(reply, createTestClock(), allowed());
  let sent = "";
  const send = (length: number) => {
    const text = `data: ${String(sent.length).padEnd(length, "x")}\n\n`;
    sent += text;
    stream.send(length % 2 === 0 ? text : Buffer.from(text));
  };
  send(1);
  const [response] = (await answered) as [IncomingMessage];
  // The system takes some megabytes that nobody reads.
  const isFull = async () => {
    await turns(50);
    return raw.writableNeedDrain;
  };
  while (!(await isFull())) send(100_000);
  const written = vi.spyOn(raw, "write");
  for (let nr = 0; nr < 200; nr += 1) send(90 + (nr % 2));
  await turns();
  expect(written).not.toHaveBeenCalled();
  let read = "";
  response.setEncoding("utf8").on("data", (text: string) => {
    read += text;
  });
  await vi.waitFor(() => expect(read.length).toBe(sent.length));
  expect(read).toBe(sent);
  expect(written).toHaveBeenCalledTimes(1);
});

test("a listener that reads nothing is cut off by what is held for it, too", async () => {
  const few = createListeners(doorLimits.parse({ unreadBytes: 4 * 1024 * 1024 }));
  const { reply, raw } = await aListener();
  const closed = once(raw, "close");
  const stream = openEventStream(reply, createTestClock(), { ...allowed(), listeners: few });
  for (let nr = 0; nr < 2000 && !raw.destroyed; nr += 1) stream.send("x".repeat(100_000));
  await closed;
  expect(raw.destroyed).toBe(true);
});

test("an event that comes after a stream has ended is dropped", async () => {
  const { reply, errors } = await aListener();
  const stream = openEventStream(reply, createTestClock(), allowed());
  stream.end();
  stream.send("data: late\n\n");
  await turns();
  expect(errors).toEqual([]);
});

test("a listener that has left before its stream opens leaves nothing behind", async () => {
  const { request, reply, raw } = await aListener();
  request.destroy();
  await once(raw, "close");
  const clock = createTestClock();
  let closed = 0;
  openEventStream(reply, clock, allowed()).onClose(() => {
    closed += 1;
  });
  await turns();
  expect([closed, clock.waiting()]).toEqual([1, 0]);
});

test("a stream ends if nobody can say whether its listener is still allowed", async () => {
  const { request, reply } = await aListener();
  const answered = once(request, "response");
  const clock = createTestClock();
  const stream = openEventStream(
    reply,
    clock,
    allowed(async () => {
      throw new Error("the store is closed");
    }),
  );
  stream.send(": hello\n\n");
  const [response] = (await answered) as [IncomingMessage];
  const ended = once(response.resume(), "end");
  await clock.advance(15_000);
  await ended;
});
