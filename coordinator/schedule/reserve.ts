import { resourceKinds, slotsOf } from "../../shared/model/demand.ts";
import { canServe, fits } from "./fit.ts";
import type { Needs } from "./needs.ts";
import type { Offer, Reservation } from "./node-facts.ts";
import type { ReadySet } from "./ready-groups.ts";

/**
 * Which nodes to reserve: one for each list whose first task has waited long, does not fit on any node now, and would
 * fit on an empty one. A node that is reserved stays reserved; otherwise the one with most free capacity is chosen.
 */
export const reserve = (
  sets: Iterable<ReadySet>,
  offers: readonly Offer[],
  before: ReadonlyMap<number, Reservation>,
  readyBefore: number,
): Map<number, Reservation> => {
  const reserved = new Map<number, Reservation>();
  for (const { key, needs, head } of sets) {
    const { task } = head();
    if (needs.weight === "light" || task.readyTime > readyBefore) continue;
    const able = offers.filter((offer) => isBig(offer, needs) && canServe(offer.node, needs));
    if (able.length === 0 || offers.some((offer) => canServe(offer.node, needs) && fits(offer.node, offer.free, needs)))
      continue;
    const left = able.filter(({ node }) => !reserved.has(node.id));
    const kept = left.find(({ node }) => before.get(node.id)?.key === key);
    const [roomiest] = left.sort((a, b) => b.free.slots - a.free.slots || a.node.id - b.node.id);
    const chosen = kept ?? roomiest;
    if (chosen) reserved.set(chosen.node.id, { key, priority: task.priority, taskId: task.id, jobId: task.jobId });
  }
  return reserved;
};

/** Such a task needs more of the node than the next free slot stands for. */
const isBig = ({ node: { capacity } }: Offer, { demand }: Needs): boolean =>
  slotsOf(demand, capacity) > 1 ||
  resourceKinds.some(
    (room) => (demand[room] ?? 0) * Math.max(1, capacity.slots) > (capacity[room] ?? Number.POSITIVE_INFINITY),
  );
