import { expect, test } from "vitest";
import { countFree } from "../../../coordinator/schedule/fit.ts";
import type { Offer, Reservation } from "../../../coordinator/schedule/node-facts.ts";
import { reserve } from "../../../coordinator/schedule/reserve.ts";
import { aNode, anIndexOf, anOpenTask } from "../../helpers/farm/schedule.ts";

const running = { weight: "full", demand: {} } as const;

/** A node of four slots of which so many are free. */
const anOffer = (id: number, freeSlots: number): Offer => {
  const node = aNode({ id });
  return { node, free: countFree(node, Array(4 - freeSlots).fill(running)) };
};
const big = (id: number, cores = 6, readyTime = 0) => anOpenTask(id, { demand: { cores }, readyTime });
const none: ReadonlyMap<number, Reservation> = new Map();
const reserved = (tasks: Parameters<typeof anIndexOf>, offers: Offer[], before = none) =>
  [...reserve(anIndexOf(...tasks).sets(), offers, before, 100)].map(([nodeId, { taskId }]) => [nodeId, taskId]);

test("a task that waited long and fits nowhere has the node kept free that has most room", () => {
  expect(reserved([big(1)], [anOffer(1, 0), anOffer(2, 2), anOffer(3, 1)])).toEqual([[2, 1]]);
});

test.each<[string, Parameters<typeof anIndexOf>, Offer[]]>([
  ["has not waited long", [big(1, 6, 101)], [anOffer(1, 0)]],
  ["takes one slot, which comes free by itself", [anOpenTask(1)], [anOffer(1, 0)]],
  ["fits somewhere", [big(1)], [anOffer(1, 0), anOffer(2, 3)]],
  ["is light", [anOpenTask(1, { weight: "light", demand: { memory: 15e9 } })], [anOffer(1, 0)]],
  ["fits on no node at all", [anOpenTask(1, { demand: { memory: 99e9 } })], [anOffer(1, 0)]],
])("no node is kept free for a task that %s", (_, tasks, offers) => {
  expect(reserved(tasks, offers)).toEqual([]);
});

test("a node that is kept stays the one, also when another has more room", () => {
  const tasks: Parameters<typeof anIndexOf> = [big(1)];
  const before = reserve(anIndexOf(...tasks).sets(), [anOffer(1, 1), anOffer(2, 0)], none, 100);
  expect(reserved(tasks, [anOffer(1, 1), anOffer(2, 2)], before)).toEqual([[1, 1]]);
});

test("two kinds of needs have two nodes, as far as there are so many", () => {
  const tasks: Parameters<typeof anIndexOf> = [big(1, 6), big(2, 8), big(3, 7)];
  expect(reserved(tasks, [anOffer(1, 1), anOffer(2, 0)])).toEqual([
    [1, 1],
    [2, 2],
  ]);
});
