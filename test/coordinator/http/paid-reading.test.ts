import { type FastifyInstance, fastify } from "fastify";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTurns } from "../../../coordinator/doors/turns.ts";
import type { Caller } from "../../../coordinator/http/auth.ts";
import { takeTurns } from "../../../coordinator/http/fair-turns.ts";
import { readsFor } from "../../../coordinator/store/reading.ts";
import { createTestClock, turns as loopTurns } from "../../helpers/clock.ts";

let app: FastifyInstance;
const clock = createTestClock();

beforeEach(async () => {
  app = fastify();
  app.decorateRequest("caller", undefined);
  app.decorateRequest("turn", undefined);
  app.addHook("onRequest", async (request) => {
    request.caller = { who: String(request.headers.who) } as Caller; // what turns look at
  });
  takeTurns(app, createTurns({ shared: 4, alone: 64, restMs: 500 }, clock));
  // The handler knows nothing of turns: the store tells what it read, two calls deeper.
  const read = async (ms: number): Promise<void> => {
    await new Promise(setImmediate);
    readsFor()?.(ms);
  };
  app.post<{ Body: { ms: number } }>("/", async (request) => {
    await read(request.body.ms);
    return "read";
  });
  await app.ready();
});
afterEach(() => app.close());

/** How many of so many requests are answered. */
const ask = (who: string, ms: number, amount = 1) => {
  const answered = { count: 0 };
  for (let nr = 0; nr < amount; nr += 1)
    void app.inject({ method: "POST", url: "/", headers: { who }, payload: { ms } }).then(() => (answered.count += 1));
  return answered;
};
const settle = async (ms = 0): Promise<void> => {
  await loopTurns(20);
  await clock.advance(ms);
  await loopTurns(20);
};

test("who has much read rests for four times as long while others work, and others do not wait for that", async () => {
  ask("other", 0);
  await settle();
  const reader = ask("reader", 50, 3);
  await settle();
  expect(reader.count).toBe(2);
  const others = ask("other", 0, 10);
  await settle(199);
  expect([reader.count, others.count]).toEqual([2, 10]);
  await settle(1);
  expect(reader.count).toBe(3);
});

test("who has little read does not rest", async () => {
  ask("other", 0);
  const reader = ask("reader", 9, 20);
  await settle();
  expect(reader.count).toBe(20);
});
