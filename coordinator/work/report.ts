import type { Failure } from "../../shared/causes.ts";
import { limits } from "../../shared/job.ts";
import type { Fence, Report } from "../../shared/protocol.ts";
import { retryDelayMs } from "../../shared/retry.ts";
import { isRemote } from "../../shared/storage.ts";
import type { Intent, Published, Work } from "../../shared/work.ts";
import type { Draft } from "../memory/draft.ts";
import type { AttemptRow, TaskRow } from "../store/rows.ts";
import { tellCancelled } from "./advance.ts";
import { judgeNode } from "./blame.ts";
import type { Farm } from "./farm.ts";
import { keepListing } from "./listings.ts";
import { strangerIn, untruthOf } from "./outcome-check.ts";

/** `stale`: the attempt is no longer its task's current one; the agent must end it and publish nothing. */
export type Verdict = "ok" | "stale";

type Current = { readonly attempt: AttemptRow; readonly task: TaskRow };

/** Records that the node has begun. Nothing depends on it, so nobody waits until it is durable. */
export const noteStart = (farm: Farm, nodeId: number, fence: Fence): Verdict => {
  if (!farm.registry.isHeld(nodeId, fence)) return "stale";
  const noted = farm.changeLater([], (draft) => {
    const attempt = draft.attemptOf(fence);
    if (attempt) draft.moveAttempt(attempt, "start", farm.clock.now());
  });
  noted.catch((problem) => farm.log.error({ err: problem, fence }, "a start is not noted"));
  return "ok";
};

/**
 * Grants a node's request to publish. What it will publish is first stored as the task's intent, which is completed
 * after a crash. A repeated request gets the same answer.
 */
export const grantCommit = (farm: Farm, nodeId: number, fence: Fence, intent: Intent): Promise<Verdict> =>
  farm.change([], (draft) => {
    const current = currentOf(draft, nodeId, fence);
    if (!current) return "stale";
    const { attempt, task } = current;
    const message = strangerIn(intent, workOf(draft, task));
    if (message !== undefined) {
      failAttempt(farm, draft, current, { cause: "machine", message });
      return "stale";
    }
    if (!draft.moveAttempt(attempt, "grant", farm.clock.now())) return "stale";
    if (task.state === "running") draft.moveTask(task, "grant", { intent });
    else draft.setTask(task, { intent });
    farm.checkpoint("granting");
    return "ok";
  });

/** Takes the report of an attempt. A repeated report changes nothing. */
export const takeReport = (farm: Farm, nodeId: number, report: Report): Promise<Verdict> =>
  farm.change([], (draft) => {
    const { fence, outcome, stats, log } = report;
    const current = currentOf(draft, nodeId, fence);
    if (!current) return isOver(draft, fence) ? "ok" : "stale";
    const { attempt, task } = current;
    const now = farm.clock.now();
    const result = checkOutcome(draft, current, outcome);
    draft.touch(task.job_id);
    farm.checkpoint("taking");
    const cause = result.outcome === "failed" ? result.failure.cause : undefined;
    judgeNode(farm, draft, { nodeId, jobId: task.job_id, taskId: task.id, cause, at: farm.clock.steady() });
    if (result.outcome === "published") {
      draft.moveAttempt(attempt, "publish", now, { stats, log });
      noteWhereabouts(farm, draft, current, result.published);
      const published = keepListing(draft, task, keepFacts(farm, draft, result.published));
      draft.moveTask(task, "complete", { published, end_time: now });
      return "ok";
    }
    draft.moveAttempt(attempt, "fail", now, { failure: result.failure, stats, log });
    retryOrFail(farm, draft, task, result.failure);
    return "ok";
  });

/**
 * The attempt was reported or stopped before, so the agent may forget it. A deleted job's attempt counts as unknown.
 */
const isOver = (draft: Draft, fence: Fence): boolean => {
  const attempt = draft.attemptOf(fence);
  return attempt !== undefined && attempt.ended !== null && draft.head(attempt.job_id) !== undefined;
};

/** Fails an attempt that the node holds. The node must forget it in any case, so the verdict is stale. */
export const failHeld = (farm: Farm, nodeId: number, fence: Fence, failure: Failure): Promise<Verdict> =>
  farm.change([], (draft) => {
    const current = currentOf(draft, nodeId, fence);
    if (current) failAttempt(farm, draft, current, failure);
    return "stale";
  });

/** The fence's attempt and task, if it is the task's current attempt and held by this node. */
const currentOf = (draft: Draft, nodeId: number, fence: Fence): Current | undefined => {
  const attempt = draft.attemptOf(fence);
  if (!attempt || attempt.node_id !== nodeId || attempt.ended !== null) return undefined;
  const task = draft.task({ job_id: attempt.job_id, id: attempt.task_id });
  if (!task || task.attempt !== attempt.counter) return undefined;
  return task.state === "running" || task.state === "committing" ? { attempt, task } : undefined;
};

const workOf = (draft: Draft, { id }: TaskRow): Work | undefined => draft.works([id]).get(id);

/** A success must list exactly the granted files; otherwise it counts as a failure of the machine. */
const checkOutcome = (draft: Draft, current: Current, outcome: Report["outcome"]): Report["outcome"] => {
  const { attempt, task } = current;
  const told = {
    isGranted: attempt.state === "committing",
    intent: task.intent,
    work: workOf(draft, task),
  };
  const message = outcome.outcome === "published" ? untruthOf(told, outcome.published) : undefined;
  return message === undefined ? outcome : { outcome: "failed", failure: { cause: "machine", message } };
};

/** The number of files that are noted per attempt. */
const mostNoted = 20;

/** Notes which files the node made or fetched. This is only a hint, so it need not be durable. */
const noteWhereabouts = (farm: Farm, draft: Draft, { attempt, task }: Current, { outputs }: Published): void => {
  const made = Object.values(outputs).flatMap((files) => files.slice(0, mostNoted).map(({ uri }) => uri));
  const read = Object.values(workOf(draft, task)?.assets ?? {}).flatMap(({ uri }) => (isRemote(uri) ? [uri] : []));
  for (const uri of [...made, ...read].slice(0, mostNoted)) farm.whereabouts.note(uri, attempt.node_id);
};

/** Stores new facts, and fills in stored ones that the node found unchanged. */
const keepFacts = (farm: Farm, draft: Draft, published: Published): Published => {
  const entries = Object.entries(published.found).map(([stepId, each]) => {
    const { uri, size, modified, facts, pieces, images } = each.file;
    if (!each.unchanged && !pieces && !images && facts && size !== undefined && modified !== undefined) {
      draft.setFacts(uri, { size, modified, tool: each.tool, facts, found: farm.clock.now() });
    }
    const kept = each.unchanged ? draft.facts(uri) : undefined;
    return [
      stepId,
      kept ? { ...each, file: { uri, size: kept.size, modified: kept.modified, facts: kept.facts } } : each,
    ];
  });
  return { ...published, found: Object.fromEntries(entries) };
};

/** Fails an attempt that its node is still running: the node is told to drop it, and a configured retry follows. */
export const failAttempt = (farm: Farm, draft: Draft, { attempt, task }: Current, failure: Failure): void => {
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
  const delayMs = retryDelayMs({ delaySec, cause: failure.cause, retries, random: farm.random() });
  draft.moveTask(task, "retry", { failure, retry_nr: retries + 1, ready_time: farm.clock.steady() + delayMs });
};

/** The node no longer has this attempt: its task goes back to the queue, and no retry is counted. */
export const loseAttempt = (
  farm: Farm,
  draft: Draft,
  attempt: AttemptRow,
  why: string,
  { isCounted = true } = {},
): void => {
  const now = farm.clock.now();
  if (!draft.moveAttempt(attempt, "lose", now, { failure: { cause: "machine", message: why } })) return;
  // If the node comes back at this moment, it must not continue beside the next attempt.
  tellCancelled(farm, draft, attempt, why);
  const task = draft.task({ job_id: attempt.job_id, id: attempt.task_id });
  if (!task || task.attempt !== attempt.counter) return;
  // Attempts from before a restart of the coordinator are not the task's fault.
  const losses = task.losses + (isCounted && attempt.epoch === farm.epoch ? 1 : 0);
  if (losses > limits.losses) {
    const message = `Its node was lost ${losses} times, the last time: ${why}`;
    draft.moveTask(task, "fail", { failure: { cause: "machine", message }, losses, end_time: now });
  } else {
    draft.moveTask(task, "lose", { losses, ready_time: farm.clock.steady() });
  }
  draft.touch(task.job_id);
};

/** Loses all open attempts that match. */
export const loseAttempts = (
  farm: Farm,
  draft: Draft,
  isMeant: (attempt: AttemptRow) => boolean,
  why: string,
): void => {
  for (const attempt of farm.values.openAttempts()) if (isMeant(attempt)) loseAttempt(farm, draft, attempt, why);
};

/** The jobs of a node's open attempts, which a decision about all of them needs. */
export const jobsAt = ({ values }: Farm, nodeId: number): number[] =>
  values.openAttempts().flatMap(({ node_id, job_id }) => (node_id === nodeId ? [job_id] : []));
