import { instanceName } from "../../media/instances/path.ts";
import { planRetry, type RetryWish } from "../../media/instances/retry-plan.ts";
import { AppError } from "../../shared/basics/errors.ts";
import type { JobHold } from "../../shared/state/job.ts";
import { isFinal } from "../../shared/state/machine.ts";
import { taskMachine } from "../../shared/state/task.ts";
import { type JobValue, tasksOf } from "../kernel/job-value.ts";
import type { Transaction } from "../kernel/transaction.ts";
import { mayStillPublish, publisherWaitMs, stoppedPublisher, toldAfterMs } from "../nodes/stopped-grants.ts";
import { isPaused, type TaskRow } from "../store/rows.ts";
import { endTasks, heldAs } from "./advance.ts";
import { startsAtOnce } from "./begin.ts";
import { withEarlierFiles } from "./earlier-files.ts";
import type { Jobs } from "./jobs.ts";
import { awaitTurn, requireJob } from "./pause.ts";

/**
 * A retry loads all of a job, and takes it back to its beginning in one decision: 20,000 runs took up to seven seconds on a busy machine of two cores.
 */
export const mostRetriedRuns = 10_000;

export type Retried = {
  readonly tasks: readonly number[];
  readonly elements: readonly string[];
  /** A job keeps its pause and its start time while it is stopped, and so over a retry. */
  readonly held: JobHold;
};

/** Runs the failed parts of a job again, or all of it. A job that had ended is open again. */
export const retryJob = async (farm: Jobs, jobId: number, wish: RetryWish): Promise<Retried> => {
  try {
    return await farm.change([jobId], (draft) => decideRetry(farm, draft, jobId, wish));
  } catch (problem) {
    farm.values.letGo(jobId); // with the ended batches that were loaded for it
    throw problem;
  }
};

const decideRetry = (farm: Jobs, draft: Transaction, jobId: number, wish: RetryWish): Retried => {
  requireJob(draft, jobId);
  refuseLarge(draft.job(jobId));
  const job = draft.wholeJob(jobId);
  const own = [...job.tasks.values()];
  refuseOthers(own, wish);
  const plan = planRetry({ shape: job.graph.shape, runs: [...job.runs.values()], tasks: own }, wish);
  if (plan.requeue.length + plan.forget.length === 0)
    throw new AppError("CONFLICT", `Job ${jobId} has no failed task: there is nothing to retry`);
  refusePublishing(
    farm,
    plan.forget.flatMap((instance) => tasksOf(job, instance)),
  );
  const isUnbegun = own.length === 0 && job.row?.stopped !== null && job.row?.start_time === null;
  reopen(farm, draft, job, plan);
  if (isUnbegun) queueAgain(farm, draft, job);
  const elements = plan.forget.map(({ uid, path }) => instanceName(uid, path));
  return { tasks: plan.requeue, elements, held: heldAs(job.schedule) };
};

const refuseLarge = ({ id, graph }: JobValue): void => {
  if (graph.instances <= mostRetriedRuns) return;
  const [runs, most] = [graph.instances, mostRetriedRuns].map((each) => each.toLocaleString("en"));
  const message = `Job ${id} has ${runs} runs of elements in batches, and only jobs of up to ${most} can be retried: submit it again`;
  throw new AppError("CONFLICT", message);
};

/** The same for one task's element. */
export const retryTask = (farm: Jobs, task: TaskRow, replan: boolean | undefined): Promise<Retried> =>
  retryJob(farm, task.job_id, { scope: "failed", taskIds: [task.id], replan });

const refuseOthers = (own: readonly TaskRow[], { taskIds }: RetryWish): void => {
  const states = new Map(own.map(({ id, state }) => [id, state]));
  for (const id of taskIds) {
    const state = states.get(id);
    if (state === undefined) throw new AppError("NOT_FOUND", `The job has no task ${id}`);
    if (state === "failed") continue;
    throw new AppError("CONFLICT", `Task ${id} is ${state}: only failed tasks can be retried`);
  }
};

/** What is forgotten cannot wait for a node that may still publish it: what runs in its place would meet its files. */
const refusePublishing = (farm: Jobs, leaving: readonly TaskRow[]): void => {
  for (const task of leaving) {
    const nodeId = task.state === "committing" ? task.node_id : stoppedPublisher(task);
    if (nodeId === null || nodeId === undefined || !mayStillPublish(farm, nodeId)) continue;
    const node = farm.registry.row(nodeId)?.profile.name ?? nodeId;
    const minutes = Math.ceil(publisherWaitMs(farm, nodeId) / 60_000);
    const message = `Node ${node} cannot be reached, and may still publish the files of task ${task.id}: try again once it is back, or in ${minutes} min`;
    throw new AppError("CONFLICT", message);
  }
};

/** A job that was stopped before it had tasks waits for its turn again: thousands may be retried at once. */
const queueAgain = (farm: Jobs, draft: Transaction, { id, row, schedule }: JobValue): void => {
  if (!row) return;
  draft.setJob(id, { status: "queued", begun: 0 });
  if (!isPaused(schedule)) awaitTurn(farm, draft, row);
};

/** When a task that is tried again may begin: at once, unless a node may still publish what it was granted. */
const beginOf = (
  farm: Jobs,
  task: TaskRow,
): Pick<TaskRow, "state" | "ready_time"> & Partial<Pick<TaskRow, "failure">> => {
  const now = farm.clock.steady();
  const nodeId = stoppedPublisher(task);
  if (nodeId === undefined) return { state: "ready", ready_time: now };
  const waitMs = toldAfterMs(farm.config) - Math.max(0, farm.clock.now() - (task.end_time ?? 0));
  if (waitMs <= 0 && !mayStillPublish(farm, nodeId)) return { state: "ready", ready_time: now };
  return { state: "delayed", ready_time: now + Math.max(0, waitMs), failure: task.failure };
};

const reopened = {
  substatus: "waiting",
  progress: 0,
  error: null,
  stopped: null,
  end_time: null,
  expiration_time: null,
} as const;

/** The state machines have no transition out of a final state. Only this function reopens what has ended. */
const reopen = (farm: Jobs, draft: Transaction, job: JobValue, plan: ReturnType<typeof planRetry>): void => {
  const leaving = plan.forget.flatMap((instance) => tasksOf(job, instance));
  const running = leaving.filter(({ state }) => !isFinal(taskMachine, state));
  endTasks(farm, draft, running, { cause: "cancelled", message: "The job was started again" });
  draft.setWarnings(job.id, withEarlierFiles(job.warnings, leaving));
  for (const { id } of leaving) draft.removeTask(job.id, id);
  for (const instance of plan.forget) draft.resetRun(job.id, instance);
  const afresh = {
    retry_nr: 0,
    losses: 0,
    failure: undefined,
    start_time: null,
    end_time: null,
  } as const;
  for (const id of plan.requeue) {
    const task = job.tasks.get(id);
    if (task) draft.setTask(task, { ...afresh, ...beginOf(farm, task) });
  }
  for (const { to, ...instance } of plan.reopen)
    draft.setRun(job.id, instance, { state: to, failure: undefined, assets: [] });
  draft.rederive(job.id);
  draft.setJob(job.id, { ...reopened, status: "active" });
  // A large job begins again in decisions of its own, some elements in each, as it did at first.
  if (plan.forget.length <= startsAtOnce) draft.touch(job.id);
  else draft.after(() => farm.jobStarter.goOn(job.id));
};
