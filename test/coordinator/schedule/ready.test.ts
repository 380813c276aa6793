import { describe, expect, test } from "vitest";
import type { OpenTask } from "../../../coordinator/db/tasks.ts";
import { canServe, choose, type Offer } from "../../../coordinator/schedule/choose.ts";
import { createReadyIndex, goesBefore } from "../../../coordinator/schedule/ready.ts";
import { randomFrom } from "../../helpers/random.ts";

const aTask = (id: number, changes: Partial<OpenTask> = {}): OpenTask => ({
  id,
  jobId: 1,
  name: `t${id}`,
  state: "ready",
  priority: 100,
  tags: [],
  requires: [],
  weight: "full",
  readyTime: 0,
  ...changes,
});

const anOffer = (changes: { tags?: string[]; capabilities?: string[]; full?: number; light?: number } = {}): Offer => ({
  tags: new Set(changes.tags),
  capabilities: new Set(changes.capabilities),
  free: { full: changes.full ?? 1, light: changes.light ?? 1 },
});

const indexOf = (...tasks: OpenTask[]) => {
  const index = createReadyIndex();
  for (const task of tasks) index.add(task);
  return index;
};

/** The ids that the offer would be given, one after the other. */
const drain = (index: ReturnType<typeof createReadyIndex>, offer = anOffer()): number[] => {
  const ids: number[] = [];
  for (let task = choose(offer, index.sets()); task; task = choose(offer, index.sets())) {
    ids.push(task.id);
    index.remove(task.id);
  }
  return ids;
};

test("a higher priority goes first, then the older job, then the older task", () => {
  const tasks = [
    aTask(1, { jobId: 2 }),
    aTask(2, { jobId: 1 }),
    aTask(3, { jobId: 9, priority: 200 }),
    aTask(4, { jobId: 1 }),
  ];
  expect(drain(indexOf(...tasks))).toEqual([3, 2, 4, 1]);
});

test("a task of another need does not stand in the way", () => {
  const index = indexOf(aTask(1, { tags: ["gpu"] }), aTask(2, { requires: ["encoder:x"] }), aTask(3));
  expect(drain(index)).toEqual([3]);
  expect(drain(index, anOffer({ tags: ["gpu"], capabilities: ["encoder:x"] }))).toEqual([1, 2]);
});

test("a light task needs a light slot and a full one a full slot", () => {
  const index = indexOf(aTask(1), aTask(2, { weight: "light" }));
  expect(drain(index, anOffer({ full: 0 }))).toEqual([2]);
  expect(drain(index, anOffer({ light: 0 }))).toEqual([1]);
});

test("no slot takes nothing, even where slots were taken away", () => {
  expect(drain(indexOf(aTask(1)), anOffer({ full: -1 }))).toEqual([]);
});

describe("a task that is removed", () => {
  test("is chosen no more, wherever it stands", () => {
    const index = indexOf(aTask(1), aTask(2), aTask(3));
    index.remove(1);
    index.remove(3);
    expect([index.size(), index.get(1), drain(index)]).toEqual([1, undefined, [2]]);
  });

  test("and added again with another priority counts once, as it is now", () => {
    const index = indexOf(aTask(1), aTask(2));
    index.remove(2);
    index.add(aTask(2, { priority: 200 }));
    index.remove(1);
    index.add(aTask(1, { priority: 50 }));
    expect(drain(index)).toEqual([2, 1]);
  });

  test("leaves no list behind", () => {
    const index = indexOf(aTask(1, { tags: ["a"] }), aTask(2, { tags: ["b"] }));
    index.remove(1);
    expect([...index.sets()].map(({ needs }) => needs.tags)).toEqual([["b"]]);
    index.add(aTask(1, { tags: ["a"] }));
    expect(drain(index, anOffer({ tags: ["a", "b"] }))).toEqual([1, 2]);
  });
});

test("needs are the same in any order", () => {
  expect([...indexOf(aTask(1, { tags: ["a", "b"] }), aTask(2, { tags: ["b", "a"] })).sets()]).toHaveLength(1);
});

test("a node serves needs by having all of them", () => {
  const offer = anOffer({ tags: ["a", "b"], capabilities: ["x"] });
  expect(canServe(offer, { tags: ["b"], requires: ["x"] })).toBe(true);
  expect(canServe(offer, { tags: ["b", "c"], requires: [] })).toBe(false);
  expect(canServe(offer, { tags: [], requires: ["x", "y"] })).toBe(false);
});

test.each([1, 2, 3, 4])("fifty sets of tags are served as a sorted list would be (seed %i)", (seed) => {
  const random = randomFrom(seed);
  const names = [...Array(8).keys()].map((n) => `tag${n}`);
  const tagSets = [...Array(50).keys()].map(() => names.filter(() => random.chance(0.3)));
  const index = createReadyIndex();
  const naive = new Map<number, OpenTask>();
  const put = (task: OpenTask) => {
    index.add(task);
    naive.set(task.id, task);
  };
  const drop = (id: number) => {
    index.remove(id);
    naive.delete(id);
  };
  const someTask = (id: number) =>
    aTask(id, {
      jobId: random.integer(1, 20),
      priority: random.integer(1, 4),
      tags: random.one(tagSets),
      weight: random.one(["full", "light"]),
    });
  for (let step = 0; step < 3000; step += 1) {
    const id = random.integer(1, 400);
    if (random.chance(0.5)) put(someTask(id));
    else if (random.chance(0.2)) drop(id);
    else {
      const offer = anOffer({ tags: names.filter(() => random.chance(0.6)), full: random.integer(0, 1) });
      const fitting = [...naive.values()].filter((task) => offer.free[task.weight] > 0 && canServe(offer, task));
      const expected = fitting.sort((a, b) => (goesBefore(a, b) ? -1 : 1))[0];
      const chosen = choose(offer, index.sets());
      expect(chosen?.id).toBe(expected?.id);
      if (chosen) drop(chosen.id);
    }
    expect(index.size()).toBe(naive.size);
  }
});
