import { causes, type Failure } from "../../shared/model/failure.ts";
import { sendCancel } from "../jobs/advance.ts";
import { changeEach } from "../kernel/committer.ts";
import type { Transaction } from "../kernel/transaction.ts";
import { judgeNode } from "../nodes/health/health.ts";
import type { Nodes } from "../nodes/nodes.ts";
import { mayStillPublish, stoppedPublisher } from "../nodes/stopped-grants.ts";
import type { AttemptRow, TaskRow } from "../store/rows.ts";
import { retryDelayMs } from "./retry.ts";

/** An open attempt, and the task that it is the current one of. */
export type CurrentAttempt = { readonly attempt: AttemptRow; readonly task: TaskRow };

/** Fails an attempt that its node is still running: the node is told to drop it, and a configured retry follows. */
export const failAttempt = (
  farm: Nodes,
  draft: Transaction,
  { attempt, task }: CurrentAttempt,
  failure: Failure,
): void => {
  if (!draft.moveAttempt(attempt, "fail", farm.clock.now(), { failure })) return;
  sendCancel(farm, draft, attempt, failure.message);
  const { cause } = failure;
  judgeNode(farm, draft, {
    nodeId: attempt.node_id,
    jobId: task.job_id,
    taskId: task.id,
    sender: draft.job(task.job_id).row?.owner_id ?? null,
    cause,
    at: farm.clock.steady(),
  });
  retryOrFail(farm, draft, task, failure);
  draft.touch(task.job_id);
};

/** Retries the task if its configuration allows, and if another try can end otherwise; the cause adds to the delay. */
export const retryOrFail = (
  farm: Pick<Nodes, "config" | "clock" | "random">,
  draft: Transaction,
  task: TaskRow,
  failure: Failure,
): void => {
  const isWorthIt = causes[failure.cause].where !== "nowhere";
  const mayRetry = isWorthIt && (task.retry_count < 0 || task.retry_nr < task.retry_count);
  if (!mayRetry) {
    draft.moveTask(task, "fail", { failure, end_time: farm.clock.now() });
    return;
  }
  const { retry_delay_sec: delaySec, retry_nr: retries } = task;
  const { longestBackOffMs: longestMs } = farm.config;
  const delayMs = retryDelayMs({ delaySec, cause: failure.cause, retries, random: farm.random(), longestMs });
  draft.moveTask(task, "retry", { failure, retry_nr: retries + 1, ready_time: farm.clock.steady() + delayMs });
};

/** Readies tasks whose retry delay is over, and whose stopped attempt publishes nothing any more. */
export const wakeDelayed = async (
  farm: Pick<Nodes, "clock" | "config" | "delayed" | "change" | "registry">,
): Promise<void> => {
  const now = farm.clock.steady();
  const due = [...farm.delayed.values()].filter(({ readyTime }) => readyTime <= now);
  await changeEach(farm, due, (draft, { id, jobId }) => {
    const task = draft.task({ job_id: jobId, id });
    const publisher = task && stoppedPublisher(task);
    if (publisher !== undefined && mayStillPublish(farm, publisher)) return;
    if (task && draft.moveTask(task, "due")) draft.touch(jobId);
  });
};
