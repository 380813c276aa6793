import type { Demand } from "../../shared/demand.ts";
import type { Weight } from "../../shared/elements/element.ts";
import type { TaskState } from "../../shared/state/task.ts";
import type { Awaited } from "../../shared/waiting.ts";

/** What scheduling needs of a task while it is open. */
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
  /** Nodes on which it should not run again while another one could; memory knows them. */
  readonly avoids: readonly number[];
  readonly readyTime: number;
  /** What it waits for: it is no choice before that is there. */
  readonly awaits?: Awaited | undefined;
};
