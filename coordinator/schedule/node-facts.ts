import type { Capacity, Demand } from "../../shared/demand.ts";
import type { Weight } from "../../shared/elements/element.ts";

/** What of a node the choice depends on and does not change while it works. */
export type NodeFacts = {
  readonly id: number;
  /** Its own and those that its compute group provides. */
  readonly tags: ReadonlySet<string>;
  /** Of its group: it takes only tasks that carry all of these. */
  readonly mandatory: readonly string[];
  readonly capabilities: ReadonlySet<string>;
  readonly capacity: Capacity;
};

/** What of a node is free now. Light tasks have slots of their own; memory, disk and GPUs are shared by all. */
export type Free = {
  readonly slots: number;
  readonly light: number;
  readonly memory: number;
  readonly disk: number;
  readonly gpus: number;
};

/** The part of a node that one running task has. */
export type Use = { readonly weight: Weight; readonly demand: Demand };
