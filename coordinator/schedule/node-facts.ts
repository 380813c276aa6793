import type { Weight } from "../../media/elements/element.ts";
import type { Capacity, Demand } from "../../shared/model/demand.ts";

/** Facts of a node that scheduling depends on and that do not change while it works. */
export type NodeFacts = {
  readonly id: number;
  /** Its own tags and those of its compute group. */
  readonly tags: ReadonlySet<string>;
  /** Its group's mandatory tags: it takes only tasks that have all of them. */
  readonly mandatory: readonly string[];
  readonly capabilities: ReadonlySet<string>;
  /** Of the addresses that it reaches as files. */
  readonly prefixes: ReadonlySet<string>;
  readonly capacity: Capacity;
};

/** The free capacity of a node. Light tasks have separate slots; memory, disk and GPUs are shared. */
export type Free = {
  readonly slots: number;
  readonly light: number;
  readonly memory: number;
  readonly disk: number;
  readonly gpus: number;
};

/** What a node can take now. */
export type Offer = {
  readonly node: NodeFacts;
  readonly free: Free;
  /**
   * The node is being emptied for a task with these needs: meanwhile, only tasks of a higher priority get a full slot.
   */
  readonly reservation?: Reservation | undefined;
};

/** A node is reserved for a task with these needs, whichever comes first then. */
export type Reservation = {
  readonly key: string;
  readonly priority: number;
  readonly taskId: number;
  readonly jobId: number;
};

/** The share of a node that one running task uses. */
export type Use = { readonly weight: Weight; readonly demand: Demand };
