import type { Weight } from "../../shared/elements/element.ts";
import type { OpenTask } from "../db/tasks.ts";
import { goesBefore, type ReadySet } from "./ready.ts";

/** What a node can take now. */
export type Offer = {
  readonly tags: ReadonlySet<string>;
  readonly capabilities: ReadonlySet<string>;
  readonly free: Readonly<Record<Weight, number>>;
};

/** The best ready task that the node may run, or undefined. Pure; the claim itself is the store's statement. */
export const choose = (offer: Offer, sets: Iterable<ReadySet>): OpenTask | undefined => {
  let best: OpenTask | undefined;
  for (const { needs, weight, head } of sets) {
    if (offer.free[weight] <= 0 || !canServe(offer, needs)) continue;
    const task = head();
    if (task && (!best || goesBefore(task, best))) best = task;
  }
  return best;
};

/** A node serves a task when it provides every tag and every capability. */
export const canServe = (
  { tags, capabilities }: Pick<Offer, "tags" | "capabilities">,
  needs: { readonly tags: readonly string[]; readonly requires: readonly string[] },
): boolean => needs.tags.every((tag) => tags.has(tag)) && needs.requires.every((need) => capabilities.has(need));
