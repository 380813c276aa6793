import { readResult } from "../../media/results/index.ts";
import type { Failure } from "../../shared/model/failure.ts";
import type { Fence, Report } from "../../shared/protocol/messages.ts";
import { nobodys } from "../../shared/rights/reach.ts";
import type { Intent, Published, Work } from "../../shared/work/work.ts";
import type { Transaction } from "../kernel/transaction.ts";
import { noteBreachLater } from "../nodes/health/breaches.ts";
import { judgeNode } from "../nodes/health/health.ts";
import type { Nodes } from "../nodes/nodes.ts";
import { keepListing } from "../planning/listings.ts";
import type { TaskRow } from "../store/rows.ts";
import { type CurrentAttempt, failAttempt, retryOrFail } from "./failed-attempts.ts";
import { keepFacts, noteFileLocations, urisWithFacts } from "./probed-facts.ts";
import { findContradiction, findForeignIntent } from "./report-check.ts";

/** `stale`: the attempt is no longer its task's current one; the agent must end it and publish nothing. */
export type Verdict = "ok" | "stale";

/** Records that the node has begun. Nothing depends on it, so nobody waits until it is durable. */
export const noteStart = (
  farm: Pick<Nodes, "clock" | "log" | "changeLater" | "registry">,
  nodeId: number,
  fence: Fence,
): Verdict => {
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
export const grantCommit = (farm: Nodes, nodeId: number, fence: Fence, intent: Intent): Promise<Verdict> =>
  farm.change([], (draft) => {
    const current = currentOf(draft, nodeId, fence);
    if (!current) return "stale";
    const { attempt, task } = current;
    const message = findForeignIntent(intent, { fence, work: readWork(draft, task), before: task.intent });
    if (message !== undefined) {
      draft.after(() => noteLie(farm, nodeId, message));
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
export const takeReport = (farm: Nodes, nodeId: number, report: Report): Promise<Verdict> =>
  farm.change([], (draft) => {
    const { fence, outcome, stats, log } = report;
    const current = currentOf(draft, nodeId, fence, outcome.outcome === "published" ? outcome.published : undefined);
    if (!current) return isOver(draft, fence) ? "ok" : "stale";
    const { attempt, task } = current;
    const now = farm.clock.now();
    const result = checkOutcome(farm, draft, current, outcome);
    draft.touch(task.job_id);
    farm.checkpoint("taking");
    const cause = result.outcome === "failed" ? result.failure.cause : undefined;
    const { job_id: jobId, id: taskId } = task;
    const sender = draft.job(jobId).row?.owner_id ?? null;
    judgeNode(farm, draft, { nodeId, jobId, taskId, sender, cause, at: farm.clock.steady() });
    if (result.outcome === "published") {
      draft.moveAttempt(attempt, "publish", now, { stats, log });
      noteFileLocations(farm, attempt.node_id, readWork(draft, task), result.published);
      const published = keepListing(
        draft,
        task,
        keepFacts(farm, draft, result.published, {
          ...(draft.job(task.job_id).row ?? nobodys),
          found_by: attempt.node_id,
        }),
      );
      draft.moveTask(task, "complete", { published, end_time: now });
      const told = toldBy(published);
      if (told.length > 0) draft.warn(task.job_id, told);
      return "ok";
    }
    draft.moveAttempt(attempt, "fail", now, { failure: result.failure, stats, log });
    retryOrFail(farm, draft, task, result.failure);
    return "ok";
  });

/** What the node found out while it worked. */
const toldBy = ({ results = {} }: Published): string[] =>
  Object.values(results).flatMap((result) => readResult("told", result) ?? []);

/**
 * The attempt was reported or stopped before, so the agent may forget it. A deleted job's attempt counts as unknown.
 */
const isOver = (draft: Transaction, fence: Fence): boolean => {
  const attempt = draft.attemptOf(fence);
  return attempt !== undefined && attempt.ended !== null && draft.head(attempt.job_id) !== undefined;
};

/** Fails an attempt that the node holds. The node must forget it in any case, so the verdict is stale. */
export const failRunning = (farm: Nodes, nodeId: number, fence: Fence, failure: Failure): Promise<Verdict> =>
  farm.change([], (draft) => {
    const current = currentOf(draft, nodeId, fence);
    if (current) failAttempt(farm, draft, current, failure);
    return "stale";
  });

/** The fence's attempt and task, if it is the task's current attempt and held by this node. */
const currentOf = (
  draft: Transaction,
  nodeId: number,
  fence: Fence,
  published?: Published,
): CurrentAttempt | undefined => {
  const attempt = draft.attemptOf(fence);
  if (!attempt || attempt.node_id !== nodeId || attempt.ended !== null) return undefined;
  draft.expect({ jobs: [attempt.job_id], works: [attempt.task_id], facts: urisWithFacts(published) });
  const task = draft.task({ job_id: attempt.job_id, id: attempt.task_id });
  if (!task || task.attempt !== attempt.counter) return undefined;
  return task.state === "running" || task.state === "committing" ? { attempt, task } : undefined;
};

const readWork = (draft: Transaction, { id }: TaskRow): Work | undefined => draft.works([id]).get(id);

/** A success must list exactly the granted files; otherwise it counts as a failure of the machine. */
const checkOutcome = (
  farm: Nodes,
  draft: Transaction,
  current: CurrentAttempt,
  outcome: Report["outcome"],
): Report["outcome"] => {
  const { attempt, task } = current;
  const told = {
    isGranted: attempt.state === "committing",
    intent: task.intent,
    work: readWork(draft, task),
  };
  const message = outcome.outcome === "published" ? findContradiction(told, outcome.published) : undefined;
  if (message === undefined) return outcome;
  draft.after(() => noteLie(farm, attempt.node_id, message));
  return { outcome: "failed", failure: { cause: "machine", message } };
};

const noteLie = (farm: Nodes, nodeId: number, message: string): void =>
  noteBreachLater(farm, nodeId, message.replace(/^The node /, ""));
