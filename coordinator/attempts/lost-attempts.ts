import type { Failure } from "../../shared/model/failure.ts";
import { limits } from "../../shared/model/job.ts";
import { reachedBy, sendCancel } from "../jobs/advance.ts";
import type { Transaction } from "../kernel/transaction.ts";
import type { Nodes } from "../nodes/nodes.ts";
import type { AttemptRow } from "../store/rows.ts";

type Parts = Pick<Nodes, "clock" | "epoch" | "values" | "registry" | "health" | "progress">;

type Loss = {
  /** Not the task's fault. */
  readonly isCounted?: boolean;
  /** The agent itself ended, without a goodbye. */
  readonly isDeath?: boolean;
};

/** The node no longer has this attempt: its task goes back to the queue, and no retry is counted. */
export const loseAttempt = (
  farm: Parts,
  draft: Transaction,
  attempt: AttemptRow,
  why: string,
  { isCounted = true, isDeath = false }: Loss = {},
): void => {
  const now = farm.clock.now();
  const failure: Failure = { cause: "machine", message: why };
  if (!draft.moveAttempt(attempt, "lose", now, { failure, ...reachedBy(farm, attempt) })) return;
  // If the node comes back at this moment, it must not continue beside the next attempt.
  sendCancel(farm, draft, attempt, why);
  const task = draft.task({ job_id: attempt.job_id, id: attempt.task_id });
  if (!task || task.attempt !== attempt.counter) return;
  // Attempts from before a restart of the coordinator are not the task's fault.
  const isOwn = isCounted && attempt.epoch === farm.epoch;
  const losses = task.losses + (isOwn ? 1 : 0);
  const { job_id: jobId, node_id: nodeId } = attempt;
  const deaths = isOwn && isDeath ? farm.health.noteDeath({ jobId, taskId: task.id, nodeId }) : 0;
  if (deaths >= limits.deaths) {
    const message = `The agents of ${deaths} nodes ended while they ran this task, so no other node is given it. Look at its source, and at the nodes' logs; then retry it`;
    draft.moveTask(task, "fail", { failure: { cause: "media", message }, losses, end_time: now });
  } else if (losses > limits.losses) {
    const message = `Its node was lost ${losses} times, the last time: ${why}`;
    draft.moveTask(task, "fail", { failure: { cause: "machine", message }, losses, end_time: now });
  } else {
    draft.moveTask(task, "lose", { losses, ready_time: farm.clock.steady() });
  }
  draft.touch(task.job_id);
};

/** Loses all open attempts that match. */
export const loseAttempts = (
  farm: Parts,
  draft: Transaction,
  isMeant: (attempt: AttemptRow) => boolean,
  why: string,
): void => {
  for (const attempt of farm.values.openAttempts()) if (isMeant(attempt)) loseAttempt(farm, draft, attempt, why);
};

/** The jobs of a node's open attempts, which a decision about all of them needs. */
export const jobsAt = ({ values }: Parts, nodeId: number): number[] =>
  values.openAttempts().flatMap(({ node_id, job_id }) => (node_id === nodeId ? [job_id] : []));
