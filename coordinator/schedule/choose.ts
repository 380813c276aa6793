import { canServe, fits } from "./fit.ts";
import type { Needs } from "./needs.ts";
import type { Offer } from "./node-facts.ts";
import type { OpenTask } from "./open-task.ts";
import { goesBefore, type Position } from "./order.ts";
import type { ReadySet } from "./ready-groups.ts";

/** Conditions of the whole farm at the moment of a choice. */
export type Situation = {
  /** Tags whose limit is reached. */
  readonly full: ReadonlySet<string>;
  /** Whether a working node could run it, except those to avoid. */
  readonly hasOthers: (needs: Needs) => boolean;
};

/** The first ready task that the node may run, or undefined. Pure; the store makes the claim. */
export const choose = (offer: Offer, sets: Iterable<ReadySet>, situation: Situation): OpenTask | undefined => {
  let best: Position | undefined;
  for (const set of sets) {
    if (!isOpenTo(offer, set.needs, situation)) continue;
    const head = set.head();
    if (isKeptFrom(offer, set, head)) continue;
    if (!best || goesBefore(head, best)) best = head;
  }
  return best?.task;
};

/** Whether such tasks may run there now, regardless of other waiting tasks. */
export const isOpenTo = ({ node, free }: Offer, needs: Needs, { full, hasOthers }: Situation): boolean =>
  fits(node, free, needs) && // the most common case
  canServe(node, needs) &&
  !(full.size > 0 && needs.tags.some((tag) => full.has(tag))) &&
  !(needs.avoids.includes(node.id) && hasOthers(needs));

/** Whether the node is reserved for other tasks. */
export const isKeptFrom = (
  { reservation }: Offer,
  { key, needs }: Pick<ReadySet, "key" | "needs">,
  { task }: Position,
): boolean =>
  reservation !== undefined &&
  needs.weight === "full" &&
  key !== reservation.key &&
  task.priority <= reservation.priority;
