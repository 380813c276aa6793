import type { Demand } from "../../shared/demand.ts";
import type { Weight } from "../../shared/elements/element.ts";
import type { TaskState } from "../../shared/state/task.ts";
import type { Awaited } from "../../shared/waiting.ts";

/** The data of an open task that scheduling needs. */
export type OpenTask = {
  readonly id: number;
  readonly jobId: number;
  readonly name: string;
  readonly state: TaskState;
  readonly priority: number;
  readonly tags: readonly string[];
  readonly requires: readonly string[];
  readonly weight: Weight;
  readonly demand: Demand;
  /** Nodes to avoid while another node could run the task; only in memory. */
  readonly avoids: readonly number[];
  readonly readyTime: number;
  /** Addresses of what it reads, the first ones, while its work is in memory: nodes that are close to them go first. */
  readonly inputs?: readonly string[];
  /** What it waits for: it cannot be chosen before that exists. */
  readonly awaits?: Awaited | undefined;
};
