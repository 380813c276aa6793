import type { OpenTask } from "./open-task.ts";
import type { Polls } from "./polls.ts";
import type { ReadyIndex } from "./ready.ts";

/** Open tasks that do not run, by what they wait for. */
export type Queues = {
  readonly ready: ReadyIndex;
  /** Tasks that wait for the end of a retry delay, by id. */
  readonly delayed: Map<number, OpenTask>;
  /** Tasks that wait for something outside the farm. */
  readonly polls: Polls;
};
