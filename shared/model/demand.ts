import { z } from "zod";

const amount = z.number().nonnegative();

/**
 * A task's resource use on a node, in addition to a slot; absent resources are not counted. Memory and disk in bytes.
 * Element kinds declare it as data.
 */
export const demand = z.strictObject({
  /** Cores that it keeps busy. A slot stands for its share of the node's cores, so more cores need more slots. */
  cores: amount.optional(),
  memory: amount.optional(),
  /** Scratch space in addition to its outputs. */
  disk: amount.optional(),
  gpus: z.number().int().nonnegative().optional(),
});
export type Demand = z.output<typeof demand>;

/** A node's total resources. If the node does not report disk, it is undefined and not counted. */
export type Capacity = {
  readonly slots: number;
  readonly cores: number;
  readonly memory: number;
  readonly disk: number | undefined;
  readonly gpus: number;
};

/** The resources that can run out, in the order in which they are reported. */
export const resourceKinds = ["memory", "disk", "gpus"] as const;
export type ResourceKind = (typeof resourceKinds)[number];

/** The number of slots a task needs there: never more than exist, because with fewer cores it only takes longer. */
export const slotsOf = ({ cores = 0 }: Demand, capacity: Capacity): number => {
  if (capacity.slots <= 1 || capacity.cores <= 0) return 1;
  return Math.min(capacity.slots, Math.max(1, Math.ceil((cores * capacity.slots) / capacity.cores)));
};
