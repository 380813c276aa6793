import type { FirstFailure } from "../../media/instances/frame.ts";
import { hasEnded as isGraphOver, nextToSkip, nextToStart } from "../../media/instances/graph.ts";
import { formatPath, instanceName } from "../../media/instances/path.ts";
import { remove } from "../../media/instances/undo-log.ts";
import { unhandledOf } from "../../media/instances/unhandled-failures.ts";
import { redactText } from "../../shared/credentials/redact.ts";
import type { Failure } from "../../shared/model/failure.ts";
import { type JobHold, jobState } from "../../shared/state/job.ts";
import { hasValues } from "../kernel/changes/jobs.ts";
import { type JobValue, shareOf, tasksOf } from "../kernel/job-value.ts";
import type { Transaction } from "../kernel/transaction.ts";
import { planRun } from "../planning/plan.ts";
import {
  type AttemptEnd,
  type AttemptRow,
  type ElementRunRow,
  fenceOf,
  type JobRow,
  type JobSchedule,
  type TaskRow,
} from "../store/rows.ts";
import { startsAtOnce } from "./begin.ts";
import { withoutPublished } from "./earlier-files.ts";
import type { Jobs } from "./jobs.ts";
import { succeedRun } from "./succeed.ts";

/** The number of batches that one decision opens if nothing in them can start. */
const opensAtOnce = 100;

/**
 * Advances a job as far as possible: settles instances whose tasks have ended, starts and skips instances as the graph
 * decides, and stores the resulting state. Called at the end of a decision that touched the job.
 */
export const advance = (farm: Jobs, draft: Transaction, jobId: number): void => {
  const job = draft.job(jobId);
  if (!job.row) return;
  if (job.row.begun === 1 && job.row.stopped === null && !goOn(farm, draft, job))
    draft.after(() => farm.jobStarter.goOn(job.id));
  writeJobState(farm, draft, job);
};

/** Starts and settles what it can; false if there is more to do than one decision has time for. */
export const goOn = (farm: Jobs, draft: Transaction, job: JobValue): boolean => {
  let [starts, opens] = [0, 0];
  for (;;) {
    settleDue(farm, draft, job);
    const skipped = nextToSkip(job.graph);
    const started = skipped ?? nextToStart(job.graph);
    if (skipped) draft.moveRun(job.id, skipped, "skip");
    else if (started && starts === startsAtOnce) return false;
    else if (started) {
      starts += 1;
      draft.moveRun(job.id, started, "start");
      draft.part(() => planRun(farm, draft, job, started));
    } else if (opens === opensAtOnce) return false;
    else if (!draft.openBatch(job.id)) return true;
    else opens += 1;
  }
};

/** Settles every instance whose tasks have all ended, or that has a failed task. */
const settleDue = (farm: Jobs, draft: Transaction, { id, tally }: JobValue): void => {
  for (const [key, instance] of [...tally.due]) {
    remove(draft.undo, tally.due, key);
    const run = draft.run(id, instance);
    if (run) draft.part(() => settleRun(farm, draft, draft.job(id), run));
  }
};

/** Ends the run, or plans its next stage. */
const settleRun = (farm: Jobs, draft: Transaction, job: JobValue, run: ElementRunRow): void => {
  if (run.state !== "planning" && run.state !== "running") return;
  const own = tasksOf(job, run);
  draft.setWarnings(job.id, withoutPublished(job.warnings, own));
  const failed = own.find(({ state }) => state === "failed");
  if (failed) {
    const message = `another task of ${instanceName(run.uid, run.path)} failed`;
    endTasks(farm, draft, own, { cause: "cancelled", message });
    draft.moveRun(job.id, run, "fail", { failure: failed.failure });
  } else if (run.state === "planning") planRun(farm, draft, job, run);
  else succeedRun(farm, draft, job, run, own);
};

/** Fails the open ones of these tasks and tells their nodes to stop. */
export const endTasks = (
  farm: Pick<Jobs, "clock" | "epoch" | "registry" | "progress">,
  draft: Transaction,
  tasks: Iterable<TaskRow>,
  failure: Failure,
): void => {
  const now = farm.clock.now();
  for (const task of [...tasks]) {
    if (!draft.moveTask(task, "fail", { failure, end_time: task.end_time ?? now })) continue;
    if (task.state !== "running" && task.state !== "committing") continue;
    const attempt = task.attempt === null ? undefined : draft.attempt(task.attempt);
    if (!attempt || !draft.moveAttempt(attempt, "cancel", now, { failure, ...reachedBy(farm, attempt) })) continue;
    sendCancel(farm, draft, attempt, failure.message);
  }
};

/** How far an attempt that reports nothing was when it was last heard of. */
export const reachedBy = (
  { progress }: Pick<Jobs, "progress">,
  { task_id }: Pick<AttemptRow, "task_id">,
): Pick<AttemptEnd, "stats"> => {
  const { percent, speed } = progress.task(task_id) ?? {};
  if (percent === undefined && speed === undefined) return {};
  return { stats: { reached: { ...(percent !== undefined && { percent }), ...(speed !== undefined && { speed }) } } };
};

/** Tells the node to stop the attempt, once the decision is durable. */
export const sendCancel = (
  farm: Pick<Jobs, "epoch" | "registry">,
  draft: Transaction,
  attempt: Parameters<typeof fenceOf>[0] & { readonly node_id: number },
  why: string,
): void => {
  const fence = fenceOf(attempt);
  draft.after(() => farm.registry.send(attempt.node_id, { type: "cancel", epoch: farm.epoch, fence, why }));
};

/** Stores the state that follows from the job's graph and tasks. */
export const writeJobState = (
  farm: Pick<Jobs, "clock" | "ready" | "health">,
  draft: Transaction,
  job: JobValue,
): void => {
  const { row, schedule, graph, tally } = job;
  if (!row) return;
  const hasStarted = tally.started > 0;
  const isOver = isGraphOver(graph);
  const unhandled = isOver ? unhandledOf(graph.shape, graph.root) : { count: 0 };
  const { status, substatus } = jobState({
    isStopped: row.stopped !== null,
    hasStarted,
    held: heldAs(schedule),
    hasEnded: isOver,
    elements: graph.counts,
    unhandled: unhandled.count,
    tasks: tally.states,
  });
  const hasEnded = status === "completed" || status === "failed";
  const stated = {
    status,
    substatus,
    error: row.stopped !== null ? "Stopped" : errorOf(unhandled.first),
    start_time: row.start_time ?? (hasStarted ? farm.clock.now() : null),
    end_time: row.end_time ?? (hasEnded ? farm.clock.now() : null),
  };
  if (hasValues(row, stated)) return; // a change of progress alone is not written
  const expires = hasEnded ? farm.clock.steady() + row.expiration * 60_000 : null;
  draft.setJob(job.id, {
    ...stated,
    progress: progressOf(job, status),
    expiration_time: row.expiration_time ?? expires,
    begun: hasEnded ? 1 : row.begun,
  });
  if (hasEnded) draft.after(() => forgetEnded(farm, job.id));
};

/** Forgets an ended job. Only once the end is durable: until then it can be undone, and the job would continue. */
export const forgetEnded = ({ health, ready }: Pick<Jobs, "ready" | "health">, jobId: number): void => {
  health.forgetJob(jobId);
  ready.forgetJob(jobId);
};

const progressOf = (job: JobValue, status: JobRow["status"]): number => {
  if (status === "completed") return 100;
  const { done, total } = shareOf(job);
  return Math.floor((100 * done) / Math.max(total, 1));
};

export const heldAs = ({ paused, startAfter }: JobSchedule): JobHold => {
  if (paused !== null) return "paused";
  return startAfter === null ? null : "scheduled";
};

/** The message of the first unhandled failure. */
const errorOf = (first: FirstFailure | undefined): string | null =>
  first ? redactText(`${instanceName(first.uid, formatPath(first.numbers))}: ${first.message}`) : null;
