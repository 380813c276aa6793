import type { Failure } from "../../shared/causes.ts";
import { retryDelayMs } from "../../shared/retry.ts";
import type { Draft } from "../memory/draft.ts";
import type { AttemptRow, TaskRow } from "../store/rows.ts";
import { tellCancelled } from "./advance.ts";
import { judgeNode } from "./blame.ts";
import type { Farm } from "./farm.ts";

/** An open attempt, and the task that it is the current one of. */
export type CurrentAttempt = { readonly attempt: AttemptRow; readonly task: TaskRow };

/** Fails an attempt that its node is still running: the node is told to drop it, and a configured retry follows. */
export const failAttempt = (farm: Farm, draft: Draft, { attempt, task }: CurrentAttempt, failure: Failure): void => {
  if (!draft.moveAttempt(attempt, "fail", farm.clock.now(), { failure })) return;
  tellCancelled(farm, draft, attempt, failure.message);
  const { cause } = failure;
  judgeNode(farm, draft, {
    nodeId: attempt.node_id,
    jobId: task.job_id,
    taskId: task.id,
    cause,
    at: farm.clock.steady(),
  });
  retryOrFail(farm, draft, task, failure);
  draft.touch(task.job_id);
};

/** Retries the task if its configuration allows; the cause only adds to the delay. */
export const retryOrFail = (farm: Farm, draft: Draft, task: TaskRow, failure: Failure): void => {
  const mayRetry = task.retry_count < 0 || task.retry_nr < task.retry_count;
  if (!mayRetry) {
    draft.moveTask(task, "fail", { failure, end_time: farm.clock.now() });
    return;
  }
  const { retry_delay_sec: delaySec, retry_nr: retries } = task;
  const { longestBackOffMs: longestMs } = farm.config;
  const delayMs = retryDelayMs({ delaySec, cause: failure.cause, retries, random: farm.random(), longestMs });
  draft.moveTask(task, "retry", { failure, retry_nr: retries + 1, ready_time: farm.clock.steady() + delayMs });
};
