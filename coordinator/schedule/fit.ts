import { getOrInsert } from "../../shared/basics/get-or-insert.ts";
import { resourceKinds, slotsOf } from "../../shared/model/demand.ts";
import type { Needs } from "./needs.ts";
import type { Free, NodeFacts, Use } from "./node-facts.ts";
import { prefixNeeded, reaches } from "./reach.ts";

/** The number of light tasks that a node runs beside its slots, so that finishing work never waits behind encodes. */
export const lightSlots = 2;

/** The node's capacity that remains beside these. */
export const countFree = ({ capacity }: NodeFacts, uses: Iterable<Use>): Free => {
  const { slots, memory, disk = Number.POSITIVE_INFINITY, gpus } = capacity;
  const free = { slots, light: lightSlots, memory, disk, gpus };
  for (const { weight, demand } of uses) {
    if (weight === "light") free.light -= 1;
    else free.slots -= slotsOf(demand, capacity);
    for (const room of resourceKinds) free[room] -= demand[room] ?? 0;
  }
  return free;
};

/** Whether the node could run such tasks if it were idle. The answer is cached as long as both sides are unchanged. */
export const canServe = (node: NodeFacts, needs: Needs): boolean =>
  getOrInsert(getOrInsert(answers, node, newAnswers), needs, () => serves(node, needs));

const newAnswers = () => new WeakMap<Needs, boolean>();
const answers = new WeakMap<NodeFacts, ReturnType<typeof newAnswers>>();

/** Whether the node has a capability, or reaches the prefix that the need names. */
export const provides = (node: NodeFacts, need: string): boolean => {
  const prefix = prefixNeeded(need);
  return prefix === undefined ? node.capabilities.has(need) : reaches(prefix, node);
};

const serves = (node: NodeFacts, needs: Needs): boolean => hasTags(node, needs) && hasAll(node, needs);

const hasTags = ({ tags, mandatory }: NodeFacts, needs: Needs): boolean =>
  needs.tags.every((tag) => tags.has(tag)) && mandatory.every((tag) => needs.tags.includes(tag));

const hasAll = (node: NodeFacts, { requires, demand }: Needs): boolean =>
  requires.every((need) => provides(node, need)) &&
  resourceKinds.every((room) => (demand[room] ?? 0) <= (node.capacity[room] ?? Number.POSITIVE_INFINITY));

/** Whether such a task fits into the free capacity. */
export const fits = ({ capacity }: NodeFacts, free: Free, { weight, demand }: Needs): boolean => {
  const hasSlot = weight === "light" ? free.light > 0 : free.slots >= slotsOf(demand, capacity);
  return hasSlot && resourceKinds.every((room) => demand[room] === undefined || demand[room] <= free[room]);
};
