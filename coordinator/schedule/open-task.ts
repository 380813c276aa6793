import type { TaskState } from "../../shared/state/task.ts";
import type { Awaited } from "../../shared/work/polling.ts";
import type { Needs } from "./needs.ts";

/** The data of an open task that scheduling needs. */
export type OpenTask = Needs & {
  readonly id: number;
  readonly jobId: number;
  readonly name: string;
  readonly state: TaskState;
  readonly priority: number;
  readonly readyTime: number;
  /** Addresses of what it reads, the first ones, while its work is in memory: nodes that are close to them go first. */
  readonly inputs?: readonly string[];
  /** What it waits for: it cannot be chosen before that exists. */
  readonly awaits?: Awaited | undefined;
};
