import type { Failure } from "../../shared/causes.ts";
import { limits } from "../../shared/job.ts";
import type { Fence, Report } from "../../shared/protocol.ts";
import { retryDelayMs } from "../../shared/retry.ts";
import type { Intent, Published } from "../../shared/work.ts";
import { type AttemptRow, fenceOf } from "../db/attempts.ts";
import type { TaskRow } from "../db/tasks.ts";
import { judgeNode } from "./blame.ts";
import type { Changes, Farm } from "./farm.ts";
import { lieOf, strangerIn } from "./lies.ts";

/** `stale`: the attempt is not the task's current one any more; the agent must end it and show nothing of it. */
export type Verdict = "ok" | "stale";

type Current = { readonly attempt: AttemptRow; readonly task: TaskRow };

/** The node has begun. Nothing depends on it, so it costs no commit of its own. */
export const noteStart = (farm: Farm, nodeId: number, fence: Fence): Verdict => {
  if (!farm.registry.isHeld(nodeId, fence)) return "stale";
  const noted = farm.db.commitLater(() => {
    const attempt = farm.stores.attempts.get(fence);
    if (attempt) farm.stores.attempts.move(attempt, "start", farm.clock.now());
  });
  noted.catch((problem) => farm.log.error({ err: problem, fence }, "a start is not noted"));
  return "ok";
};

/**
 * The node asks to publish. What it means to publish is stored as the task's intent before it may: after a crash, the
 * intent rolls forward. Asking again is answered again.
 */
export const grantCommit = (farm: Farm, nodeId: number, fence: Fence, intent: Intent): Promise<Verdict> =>
  farm.change((changes) => {
    const current = currentOf(farm, nodeId, fence);
    if (!current) return "stale";
    const { attempt, task } = current;
    const message = strangerIn(intent, farm.stores.tasks.work(task.id));
    if (message !== undefined) {
      failAttempt(farm, changes, current, { cause: "machine", message });
      return "stale";
    }
    if (!farm.stores.attempts.move(attempt, "grant", farm.clock.now())) return "stale";
    if (task.state === "running") farm.stores.tasks.move(task, "grant", { intent });
    else farm.stores.tasks.setIntent(task.id, intent);
    changes.tasks.add(task.id);
    farm.checkpoint("granting");
    return "ok";
  });

/** Takes what an attempt hands in. Told twice, it is taken once. */
export const takeReport = (farm: Farm, nodeId: number, report: Report): Promise<Verdict> =>
  farm.change((changes) => {
    const { fence, outcome, stats, log } = report;
    const current = currentOf(farm, nodeId, fence);
    // An attempt that has ended already was reported before, or stopped: either way the agent may forget it.
    if (!current) return farm.stores.attempts.get(fence)?.ended ? "ok" : "stale";
    const { attempt, task } = current;
    const now = farm.clock.now();
    const result = checkOutcome(farm, current, outcome);
    changes.ended.push({ nodeId, fence });
    changes.tasks.add(task.id);
    changes.touchedJobs.add(task.job_id);
    farm.checkpoint("taking");
    const cause = result.outcome === "failed" ? result.failure.cause : undefined;
    judgeNode(farm, changes, { nodeId, jobId: task.job_id, taskId: task.id, cause, at: farm.clock.steady() });
    if (result.outcome === "published") {
      farm.stores.attempts.move(attempt, "publish", now, { stats, log });
      const published = keepFacts(farm, result.published);
      farm.stores.tasks.move(task, "complete", { published, endTime: now });
      return "ok";
    }
    farm.stores.attempts.move(attempt, "fail", now, { failure: result.failure, stats, log });
    retryOrFail(farm, task, result.failure);
    return "ok";
  });

/** The current attempt of its task, held by this node; undefined for every other fence. */
const currentOf = (farm: Farm, nodeId: number, fence: Fence): Current | undefined => {
  const attempt = farm.stores.attempts.get(fence);
  if (!attempt || attempt.node_id !== nodeId || attempt.ended !== null) return undefined;
  const task = farm.stores.tasks.get(attempt.task_id);
  if (!task || task.attempt !== attempt.counter) return undefined;
  return task.state === "running" || task.state === "committing" ? { attempt, task } : undefined;
};

/** A task is done when it shows what it was to make, and nothing else than what was granted. */
const checkOutcome = (farm: Farm, current: Current, outcome: Report["outcome"]): Report["outcome"] => {
  const { attempt, task } = current;
  const told = {
    isGranted: attempt.state === "committing",
    intent: task.intent,
    work: farm.stores.tasks.work(task.id),
  };
  const message = outcome.outcome === "published" ? lieOf(told, outcome.published) : undefined;
  return message === undefined ? outcome : { outcome: "failed", failure: { cause: "machine", message } };
};

/** New facts are kept, and those that still hold are filled in from what is kept. */
const keepFacts = (farm: Farm, published: Published): Published => {
  const entries = Object.entries(published.found).map(([stepId, each]) => {
    const { uri, size, modified, facts, pieces, images } = each.file;
    if (!each.unchanged && !pieces && !images && facts && size !== undefined && modified !== undefined) {
      farm.stores.facts.put(uri, { size, modified, tool: each.tool, facts }, farm.clock.now());
    }
    const kept = each.unchanged ? farm.stores.facts.get(uri) : undefined;
    return [
      stepId,
      kept ? { ...each, file: { uri, size: kept.size, modified: kept.modified, facts: kept.facts } } : each,
    ];
  });
  return { ...published, found: Object.fromEntries(entries) };
};

/** Ends an attempt that its node goes on with: the node is told to drop it, and a configured retry follows. */
export const failAttempt = (farm: Farm, changes: Changes, { attempt, task }: Current, failure: Failure): void => {
  const [now, nodeId, fence] = [farm.clock.now(), attempt.node_id, fenceOf(attempt)];
  if (!farm.stores.attempts.move(attempt, "fail", now, { failure })) return;
  changes.ended.push({ nodeId, fence });
  changes.cancelled.push({ nodeId, fence, why: failure.message });
  const ending = { nodeId, jobId: task.job_id, taskId: task.id, cause: failure.cause, at: farm.clock.steady() };
  judgeNode(farm, changes, ending);
  retryOrFail(farm, task, failure);
  changes.tasks.add(task.id);
  changes.touchedJobs.add(task.job_id);
};

/** A configured retry is always honoured; the cause only adds to its delay. */
export const retryOrFail = (farm: Farm, task: TaskRow, failure: Failure): void => {
  const now = farm.clock.now();
  const mayRetry = task.retry_count < 0 || task.retry_nr < task.retry_count;
  if (!mayRetry) {
    farm.stores.tasks.move(task, "fail", { failure, endTime: now });
    return;
  }
  const delayMs = retryDelayMs({
    delaySec: task.retry_delay_sec,
    cause: failure.cause,
    retries: task.retry_nr,
    random: farm.random(),
  });
  farm.stores.tasks.move(task, "retry", {
    failure,
    retryNr: task.retry_nr + 1,
    readyTime: farm.clock.steady() + delayMs,
  });
};

/** The node has nothing of this attempt any more: the task goes back to the queue, without costing a retry. */
export const loseAttempt = (
  farm: Farm,
  changes: Changes,
  attempt: AttemptRow,
  why: string,
  { isCounted = true } = {},
): void => {
  const now = farm.clock.now();
  const failure: Failure = { cause: "machine", message: why };
  if (!farm.stores.attempts.move(attempt, "lose", now, { failure })) return;
  const [nodeId, fence] = [attempt.node_id, fenceOf(attempt)];
  changes.ended.push({ nodeId, fence });
  // A node that came back this very moment must not go on with it beside the next attempt.
  changes.cancelled.push({ nodeId, fence, why });
  const task = farm.stores.tasks.get(attempt.task_id);
  if (!task || task.attempt !== attempt.counter) return;
  // Attempts of an earlier life of the coordinator went with the whole farm: that is no fault of the task's.
  const losses = task.losses + (isCounted && attempt.epoch === farm.epoch ? 1 : 0);
  if (losses > limits.losses) {
    const message = `Its node was lost ${losses} times, the last time: ${why}`;
    farm.stores.tasks.move(task, "fail", { failure: { cause: "machine", message }, losses, endTime: now });
  } else {
    farm.stores.tasks.move(task, "lose", { losses, readyTime: farm.clock.steady() });
  }
  changes.tasks.add(task.id);
  changes.touchedJobs.add(task.job_id);
};
