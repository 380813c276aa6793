import type { Capacity, Demand } from "../../shared/demand.ts";
import type { Weight } from "../../shared/elements/element.ts";

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

/** The share of a node that one running task uses. */
export type Use = { readonly weight: Weight; readonly demand: Demand };
