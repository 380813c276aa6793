import { once } from "node:events";
import { createServer, get, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { FastifyReply } from "fastify";
import { afterEach, expect, test } from "vitest";
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
  expect(gathered).toEqual([0, 50, 100, 500]);
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
