import type { Cause } from "../../shared/model/failure.ts";
import type { AttemptState } from "../../shared/state/attempt.ts";
import type { TaskState } from "../../shared/state/task.ts";

export type RecentAttempt = {
  readonly counter: number;
  readonly node_id: number;
  readonly task_id: number;
  readonly job_id: number;
  readonly state: AttemptState;
  readonly assigned: number;
  readonly ended: number | null;
  readonly name: string;
  readonly job: string;
  readonly kind: string;
  readonly task_state: TaskState;
  readonly cause: Cause | null;
  readonly message: string | null;
};

/** Attempts to report on. */
export const mostAttempts = 20_000;
/** Elements that wait for others. */
export const mostPending = 5000;

export type WorkSample = {
  readonly counter: number;
  readonly kind: string;
  readonly purpose: "facts" | "work";
  readonly node_id: number;
  readonly wallMs: number | null;
  readonly seconds: number | null;
  readonly codec: string | null;
  readonly pixels: number | null;
};
export type OpenWork = Omit<WorkSample, "counter" | "node_id" | "wallMs"> & {
  readonly task_id: number;
  readonly job_id: number;
  readonly state: TaskState;
  readonly element_uid: string;
};

/** The last attempts of the whole farm, for reports and estimates: those with the highest counters. */
export type RecentAttempts = {
  /** Of `mostAttempts` those not ended until then, of all nodes or one, by counter; messages cut at 500 characters. */
  readonly since: (from: number, nodeId?: number) => Promise<RecentAttempt[]>;
  /** The cost of those that were published of so many attempts, newest first, at most a thousand. */
  readonly samples: (most: number) => Promise<WorkSample[]>;
  /** Some open tasks of these jobs, with the data for estimating their effort. */
  readonly openWork: (jobIds: readonly number[], most: number) => Promise<OpenWork[]>;
  /** Elements that have not begun, by job and in the definition's order: future work. At most `mostPending`. */
  readonly pendingKinds: (jobIds: readonly number[]) => Promise<{ readonly job_id: number; readonly kind: string }[]>;
};
