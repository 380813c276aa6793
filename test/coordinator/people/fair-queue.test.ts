import { expect, test } from "vitest";
import { createFairQueue, mostWaiting } from "../../../coordinator/people/fair-queue.ts";

test("lines take turns: a long one delays another by one piece of work", async () => {
  const turns = createFairQueue();
  const done: string[] = [];
  const work = (name: string) => turns.take(name, async () => void done.push(name));
  await Promise.all([work("a"), work("a"), work("a"), work("b"), work("c")]);
  expect(done).toEqual(["a", "a", "b", "c", "a"]);
});

test("work that fails fails alone", async () => {
  const turns = createFairQueue();
  const broken = turns.take("a", () => Promise.reject(new Error("broken")));
  const good = turns.take("a", async () => "good");
  await expect(broken).rejects.toThrow("broken");
  expect(await good).toBe("good");
  expect(await turns.take("b", async () => "next")).toBe("next");
});

test("where too much waits, the oldest of the longest line is refused", async () => {
  const turns = createFairQueue();
  const flood = Array.from({ length: mostWaiting + 2 }, (_, nr) => turns.take("a", async () => nr));
  const other = turns.take("b", async () => "in time");
  const ends = await Promise.allSettled(flood);
  expect(await other).toBe("in time");
  expect(ends.flatMap(({ status }, nr) => (status === "rejected" ? [nr] : []))).toEqual([1, 2]);
});

test("a line of a lower rank goes first, however many wait in others", async () => {
  const turns = createFairQueue((name) => (name === "fresh" ? 0 : 1));
  const done: string[] = [];
  const work = (name: string) => turns.take(name, async () => void done.push(name));
  const all = Array.from({ length: 150 }, (_, nr) => work(`guesser ${nr}`));
  await Promise.all([...all, work("fresh")]);
  expect(done.indexOf("fresh")).toBe(1); // after the one whose work had begun
});
