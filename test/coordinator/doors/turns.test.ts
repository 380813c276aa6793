import { expect, test } from "vitest";
import { readConfig } from "../../../coordinator/config.ts";
import { createTurns } from "../../../coordinator/doors/turns.ts";
import { createTestClock } from "../../helpers/clock.ts";

const open = () => {
  const clock = createTestClock();
  const turns = createTurns({ shared: 16, alone: 64, restMs: 500 }, clock);
  /** Which of so many pieces of work have begun. */
  const take = async (who: string, amount: number, bytes?: number) => {
    const all = Array.from({ length: amount }, () => turns.take(who, bytes));
    const begun = new Set<number>();
    all.forEach((each, nr) => void each.begun.then(() => begun.add(nr)));
    await clock.advance(0);
    return {
      begun,
      end: (nr: number, answered?: number) => all[nr]?.end(answered),
      reads: (nr: number, ms: number) => all[nr]?.reads(ms),
    };
  };
  return { clock, turns, take };
};

test("a caller who is alone is hardly held up", async () => {
  const { take } = open();
  expect((await take("a", 100)).begun.size).toBe(64);
});

test("callers who work side by side have equal parts, and a new one begins at once", async () => {
  const { clock, take } = open();
  const greedy = await take("greedy", 64);
  const other = await take("other", 1);
  expect(other.begun.size).toBe(1);
  const more = await take("greedy", 10);
  for (let nr = 0; nr < 56; nr += 1) greedy.end(nr);
  await clock.advance(0);
  expect(more.begun.size).toBe(0); // 8 of 16 are still under way
  greedy.end(60);
  await clock.advance(0);
  expect(more.begun.size).toBe(1);
});

test("beside a program that floods the farm, another's small requests wait behind four of its", async () => {
  const { sharedRequests: shared, loneRequests: alone, restMs } = readConfig({ dataDir: "/nowhere" }, {}).doors;
  const turns = createTurns({ shared, alone, restMs }, createTestClock());
  turns.take("other").end();
  const flood = Array.from({ length: 32 }, () => turns.take("flood"));
  let begun = 0;
  for (const each of flood) void each.begun.then(() => (begun += 1));
  await Promise.resolve();
  expect(begun).toBe(4);
});

test("large bodies, and large answers before, weigh more; one piece of work may always be under way", async () => {
  const { take } = open();
  await take("other", 1);
  const heavy = await take("heavy", 4, 4_000_000);
  expect(heavy.begun).toEqual(new Set([0]));
  heavy.end(0, 8_000_000);
  const reader = await take("heavy", 4);
  expect(reader.begun.size).toBe(0); // its second large body is under way
});

test("work that waits for something else gives its room back, and who goes away before the turn frees the line", async () => {
  const { clock, take } = open();
  await take("other", 1);
  const waiting = await take("a", 20);
  expect(waiting.begun.size).toBe(8);
  for (let nr = 8; nr < 16; nr += 1) waiting.end(nr); // the clients have gone
  await clock.advance(2000);
  expect([...waiting.begun].filter((nr) => nr >= 16).length).toBe(4);
});

test("callers are forgotten when they have asked for nothing for a while", async () => {
  const { clock, turns } = open();
  for (let nr = 0; nr < 100; nr += 1) turns.take(`caller ${nr}`).end();
  await clock.advance(1500);
  turns.take("last").end();
  expect(turns.active()).toBe(1);
});

test("after heavy work its caller rests while others work, the longer the more bytes it was, and others go on", async () => {
  const { clock, take } = open();
  const mb = 1024 * 1024;
  await take("other", 1);
  const heavy = await take("heavy", 2, mb);
  expect(heavy.begun).toEqual(new Set([0]));
  heavy.end(0, mb);
  await clock.advance(499);
  expect(heavy.begun).toEqual(new Set([0]));
  expect((await take("other", 1)).begun.size).toBe(1);
  await clock.advance(1);
  expect(heavy.begun).toEqual(new Set([0, 1]));
});

test("after heavy work its caller rests for others who asked just now: their next request may wait unseen", async () => {
  const { clock, take } = open();
  (await take("other", 1)).end(0);
  const heavy = await take("heavy", 2, 1024 * 1024);
  heavy.end(0, 1024 * 1024);
  await clock.advance(499);
  expect(heavy.begun).toEqual(new Set([0]));
  await clock.advance(1);
  expect(heavy.begun).toEqual(new Set([0, 1]));
});

test("whose work usually has much read has one piece of it under way, and rests after it for four times as long", async () => {
  const { clock, take } = open();
  for (let nr = 0; nr < 20; nr += 1) {
    const each = await take("reader", 1);
    each.reads(0, 40);
    each.end(0, 100);
  }
  await take("other", 1);
  const readers = await take("reader", 3);
  expect(readers.begun).toEqual(new Set([0]));
  readers.reads(0, 30);
  readers.reads(0, 10);
  readers.end(0, 100);
  await clock.advance(159);
  expect(readers.begun).toEqual(new Set([0]));
  await clock.advance(1);
  expect(readers.begun).toEqual(new Set([0, 1]));
});

test("who had much read once is as before after some requests that read little", async () => {
  const { take } = open();
  const heavy = await take("reader", 1);
  heavy.reads(0, 300);
  heavy.end(0, 100);
  for (let nr = 0; nr < 20; nr += 1) (await take("reader", 1)).end(0, 100);
  await take("other", 1);
  expect((await take("reader", 10)).begun.size).toBe(8);
});

test("no rest keeps a coordinator that stops", async () => {
  const { clock, turns, take } = open();
  await take("other", 1);
  (await take("heavy", 1, 1024 * 1024)).end(0);
  const waiting = clock.waiting();
  turns.stop();
  expect(clock.waiting()).toBe(waiting - 1);
});

test("nobody rests after heavy work when nobody else has asked for a while", async () => {
  const { clock, take } = open();
  (await take("other", 1)).end(0);
  await clock.advance(250);
  const heavy = await take("heavy", 2, 1024 * 1024);
  heavy.end(0, 1024 * 1024);
  await Promise.resolve();
  expect(heavy.begun).toEqual(new Set([0, 1]));
});
