import { describe, expect, test } from "vitest";
import { choose, type Situation } from "../../../coordinator/schedule/choose.ts";
import { canServe, countFree } from "../../../coordinator/schedule/fit.ts";
import { noNeeds } from "../../../coordinator/schedule/needs.ts";
import type { NodeFacts, Offer, Use } from "../../../coordinator/schedule/node-facts.ts";
import { aNode, anIndexOf, anOpenTask, calm } from "../../helpers/farm/schedule.ts";

const gigabyte = 1e9;
const anOffer = (node: NodeFacts, uses: Use[] = []): Offer => ({ node, free: countFree(node, uses) });
const running = (demand: Use["demand"] = {}, weight: Use["weight"] = "full"): Use => ({ weight, demand });
const chosen = (offer: Offer, tasks: Parameters<typeof anIndexOf>, situation: Situation = calm) =>
  choose(offer, anIndexOf(...tasks).sets(), situation)?.id;

describe("a node serves needs", () => {
  const could = (node: NodeFacts, needs: Partial<typeof noNeeds>) => canServe(node, { ...noNeeds, ...needs });

  test("by providing every tag and every capability", () => {
    const node = aNode({ tags: ["a", "b"], capabilities: ["x"] });
    expect(could(node, { tags: ["b"], requires: ["x"] })).toBe(true);
    expect(could(node, { tags: ["b", "c"] })).toBe(false);
    expect(could(node, { requires: ["x", "y"] })).toBe(false);
  });

  test("that carry all of its mandatory tags, and no others", () => {
    const node = aNode({ tags: ["a", "only"], mandatory: ["only"] });
    expect(could(node, { tags: ["a"] })).toBe(false);
    expect(could(node, { tags: ["only", "a"] })).toBe(true);
  });

  test("for which it is large enough", () => {
    expect(could(aNode(), { demand: { memory: 16 * gigabyte, disk: 100 * gigabyte, gpus: 1 } })).toBe(true);
    expect(could(aNode(), { demand: { memory: 17 * gigabyte } })).toBe(false);
    expect(could(aNode(), { demand: { gpus: 2 } })).toBe(false);
  });

  test("of more cores than it has: such a task takes the whole of it", () => {
    expect(could(aNode(), { demand: { cores: 64 } })).toBe(true);
    expect(chosen(anOffer(aNode()), [anOpenTask(1, { demand: { cores: 64 } })])).toBe(1);
    expect(chosen(anOffer(aNode(), [running()]), [anOpenTask(1, { demand: { cores: 64 } })])).toBeUndefined();
  });

  test("of any disk space where it does not say what it has", () => {
    const capacity = { ...aNode().capacity, disk: undefined };
    expect(could(aNode({ capacity }), { demand: { disk: 1e15 } })).toBe(true);
  });
});

describe("what is free", () => {
  test("is what the running tasks leave", () => {
    const uses = [running({ cores: 3, memory: gigabyte }), running(), running({ disk: gigabyte, gpus: 1 }, "light")];
    expect(countFree(aNode(), uses)).toEqual({ slots: 1, light: 1, memory: 15e9, disk: 99e9, gpus: 0 });
  });

  test("decides what a node takes", () => {
    const offer = anOffer(aNode(), [running({ memory: 10 * gigabyte }), running(), running()]);
    expect(chosen(offer, [anOpenTask(1, { demand: { memory: 7 * gigabyte } }), anOpenTask(2)])).toBe(2);
    expect(chosen(offer, [anOpenTask(1, { demand: { cores: 4 } }), anOpenTask(2)])).toBe(2);
    expect(chosen(offer, [anOpenTask(1, { demand: { gpus: 1 } }), anOpenTask(2)])).toBe(1);
  });

  test("of slots and of light slots is told apart", () => {
    const tasks = [anOpenTask(1), anOpenTask(2, { weight: "light" })];
    expect(chosen(anOffer(aNode(), Array(4).fill(running())), tasks)).toBe(2);
    expect(chosen(anOffer(aNode(), Array(2).fill(running({}, "light"))), tasks)).toBe(1);
  });

  test("is nothing where slots were taken away from what runs", () => {
    const node = aNode({ capacity: { ...aNode().capacity, slots: 0 } });
    expect(chosen(anOffer(node, [running()]), [anOpenTask(1)])).toBeUndefined();
    expect(chosen(anOffer(node), [anOpenTask(1)])).toBeUndefined();
  });
});

test("a task of other needs does not stand in the way", () => {
  const tasks = [anOpenTask(1, { tags: ["gpu"] }), anOpenTask(2, { requires: ["encoder:x"] }), anOpenTask(3)];
  expect(chosen(anOffer(aNode()), tasks)).toBe(3);
  expect(chosen(anOffer(aNode({ tags: ["gpu"] })), tasks)).toBe(1);
});

test("a task avoids a node as long as another one works that could do it", () => {
  const tasks = [anOpenTask(1, { avoids: [1] }), anOpenTask(2)];
  expect(chosen(anOffer(aNode()), tasks, { ...calm, hasOthers: () => true })).toBe(2);
  expect(chosen(anOffer(aNode()), tasks)).toBe(1);
  expect(chosen(anOffer(aNode({ id: 2 })), tasks, { ...calm, hasOthers: () => true })).toBe(1);
});

test("no more tasks with a tag are taken when the farm's limit is reached", () => {
  const node = aNode({ tags: ["licence"] });
  const tasks = [anOpenTask(1, { tags: ["licence"] }), anOpenTask(2)];
  expect(chosen(anOffer(node), tasks, { ...calm, full: new Set(["licence"]) })).toBe(2);
  expect(chosen(anOffer(node), tasks)).toBe(1);
});

describe("a node that is reserved", () => {
  const big = anOpenTask(1, { demand: { memory: 12 * gigabyte } });
  const index = anIndexOf(big, anOpenTask(2), anOpenTask(3, { weight: "light" }));
  const reservation = { key: index.find(1)?.set.key ?? "", priority: 100, taskId: 1, jobId: 1 };
  const busy = [running({ memory: 8 * gigabyte })];
  const offer = (uses: Use[]): Offer => ({ ...anOffer(aNode(), uses), reservation });

  test("takes the task it is reserved for as soon as that fits", () => {
    expect(choose(offer([]), index.sets(), calm)?.id).toBe(1);
  });

  test("takes only light ones before", () => {
    expect(choose(offer(busy), index.sets(), calm)?.id).toBe(3);
  });

  test("takes a task of a higher priority: that order is strict", () => {
    const urgent = anIndexOf(big, anOpenTask(2, { priority: 101 }));
    expect(choose(offer(busy), urgent.sets(), calm)?.id).toBe(2);
  });
});
