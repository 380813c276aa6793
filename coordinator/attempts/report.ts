import type { Failure } from "../../shared/causes.ts";
import type { Fence, Report } from "../../shared/protocol.ts";
import type { Intent, Work } from "../../shared/work.ts";
import type { Draft } from "../memory/draft.ts";
import type { TaskRow } from "../store/rows.ts";
import { keepFacts, noteWhereabouts } from "./attempt-findings.ts";
import { judgeNode } from "./blame.ts";
import { type CurrentAttempt, failAttempt, retryOrFail } from "./failed-attempts.ts";
import type { Farm } from "./farm.ts";
import { keepListing } from "./listings.ts";
import { strangerIn, untruthOf } from "./outcome-check.ts";

/** `stale`: the attempt is no longer its task's current one; the agent must end it and publish nothing. */
export type Verdict = "ok" | "stale";

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
      noteWhereabouts(farm, attempt.node_id, workOf(draft, task), result.published);
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
const currentOf = (draft: Draft, nodeId: number, fence: Fence): CurrentAttempt | undefined => {
  const attempt = draft.attemptOf(fence);
  if (!attempt || attempt.node_id !== nodeId || attempt.ended !== null) return undefined;
  const task = draft.task({ job_id: attempt.job_id, id: attempt.task_id });
  if (!task || task.attempt !== attempt.counter) return undefined;
  return task.state === "running" || task.state === "committing" ? { attempt, task } : undefined;
};

const workOf = (draft: Draft, { id }: TaskRow): Work | undefined => draft.works([id]).get(id);

/** A success must list exactly the granted files; otherwise it counts as a failure of the machine. */
const checkOutcome = (draft: Draft, current: CurrentAttempt, outcome: Report["outcome"]): Report["outcome"] => {
  const { attempt, task } = current;
  const told = {
    isGranted: attempt.state === "committing",
    intent: task.intent,
    work: workOf(draft, task),
  };
  const message = outcome.outcome === "published" ? untruthOf(told, outcome.published) : undefined;
  return message === undefined ? outcome : { outcome: "failed", failure: { cause: "machine", message } };
};
