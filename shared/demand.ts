import { z } from "zod";

const amount = z.number().nonnegative();

/**
 * What a task takes of a node beside being one more that runs there; what is absent is not counted. Memory and disk in
 * bytes. Element kinds declare it as data.
 */
export const demand = z.strictObject({
  /** Cores that it keeps busy. A slot stands for its share of the node's cores: more cores take more slots. */
  cores: amount.optional(),
  memory: amount.optional(),
  /** Scratch space beside what it publishes. */
  disk: amount.optional(),
  gpus: z.number().int().nonnegative().optional(),
});
export type Demand = z.output<typeof demand>;

/** What a node has in all. Disk is undefined where the node does not say; it is not counted then. */
export type Capacity = {
  readonly slots: number;
  readonly cores: number;
  readonly memory: number;
  readonly disk: number | undefined;
  readonly gpus: number;
};

/** The kinds of room that run out, in the order in which they are told of. */
export const rooms = ["memory", "disk", "gpus"] as const;
export type Room = (typeof rooms)[number];

/** Slots that a task takes there: never more than there are, since with fewer cores it only takes longer. */
export const slotsOf = ({ cores = 0 }: Demand, capacity: Capacity): number => {
  if (capacity.slots <= 1 || capacity.cores <= 0) return 1;
  return Math.min(capacity.slots, Math.max(1, Math.ceil((cores * capacity.slots) / capacity.cores)));
};
