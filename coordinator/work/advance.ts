import type { Failure } from "../../shared/causes.ts";
import { decide, isHandled } from "../../shared/graph.ts";
import { type JobView, jobState } from "../../shared/state/job.ts";
import type { Draft } from "../memory/draft.ts";
import type { JobValue } from "../memory/values.ts";
import { type ElementRunRow, fenceOf, type JobRow, type JobSchedule, type TaskRow } from "../store/rows.ts";
import type { Farm } from "./farm.ts";
import { passedOn, planRun } from "./plan.ts";
import { shareOf } from "./share.ts";

/**
 * Elements of one job that start in one decision: planning hundreds would block the loop. The others follow in the next
 * one.
 */
export const startsAtOnce = 25;

/**
 * Takes a job as far as it can go: settles elements whose tasks have ended, starts and skips elements as the graph
 * decides, and records the resulting state. Called at the end of every decision that touched the job.
 */
export const advance = (farm: Farm, draft: Draft, jobId: number): void => {
  const job = draft.job(jobId);
  if (!job.row) return;
  while (job.row.begun === 1 && goOn(farm, draft, job)) {} // an element that was just started may already have ended
  writeJobState(farm, draft, job);
};

/** One round; true if another may find more to do. */
const goOn = (farm: Farm, draft: Draft, job: JobValue): boolean => {
  const tasks = Map.groupBy(job.tasks.values(), ({ element_uid }) => element_uid);
  for (const { uid } of [...job.runs.values()]) settleRun(farm, draft, job, uid, tasks.get(uid) ?? []);
  const { start, skip } = decide([...job.runs.values()], job.connections);
  for (const uid of skip) draft.moveRun(job.id, uid, "skip");
  for (const uid of start.slice(0, startsAtOnce)) {
    draft.moveRun(job.id, uid, "start");
    planRun(farm, draft, job, uid);
  }
  if (start.length > startsAtOnce) draft.after(() => farm.beginnings.goOn(job.id));
  return start.length + skip.length > 0 && start.length <= startsAtOnce;
};

/** Completes the run, or plans it again, if all of its tasks have ended. */
const settleRun = (farm: Farm, draft: Draft, job: JobValue, uid: string, own: readonly TaskRow[]): void => {
  const run = job.runs.get(uid);
  if (run?.state !== "planning" && run?.state !== "running") return;
  const failed = own.find(({ state }) => state === "failed");
  if (failed) {
    endTasks(farm, draft, own, { cause: "cancelled", message: `another task of ${uid} failed` });
    draft.moveRun(job.id, uid, "fail", { failure: failed.failure });
    return;
  }
  if (own.length === 0 || own.some(({ state }) => state !== "completed")) return;
  if (run.state === "planning") planRun(farm, draft, job, uid);
  else draft.moveRun(job.id, uid, "succeed", { assets: passedOn(farm, draft, job, run, own) });
};

/** Ends the open tasks among these, and tells their nodes. */
export const endTasks = (farm: Farm, draft: Draft, tasks: Iterable<TaskRow>, failure: Failure): void => {
  const now = farm.clock.now();
  for (const task of [...tasks]) {
    if (!draft.moveTask(task, "fail", { failure, end_time: task.end_time ?? now })) continue;
    if (task.state !== "running" && task.state !== "committing") continue;
    const attempt = task.attempt === null ? undefined : draft.attempt(task.attempt);
    if (!attempt || !draft.moveAttempt(attempt, "cancel", now, { failure })) continue;
    tellCancelled(farm, draft, attempt, failure.message);
  }
};

/** The node has to stop working on the attempt. */
export const tellCancelled = (
  farm: Farm,
  draft: Draft,
  attempt: Parameters<typeof fenceOf>[0] & { readonly node_id: number },
  why: string,
): void => {
  const fence = fenceOf(attempt);
  draft.after(() => farm.registry.send(attempt.node_id, { type: "cancel", epoch: farm.epoch, fence, why }));
};

/** Records the state that follows from the job's tasks. */
export const writeJobState = (farm: Farm, draft: Draft, job: JobValue): void => {
  const { row, connections, schedule } = job;
  if (!row) return;
  const [elements, tasks] = [[...job.runs.values()], [...job.tasks.values()]];
  const hasStarted = tasks.some(({ start_time }) => start_time !== null);
  const { status, substatus } = jobState({
    ...{ isStopped: row.stopped !== null, hasStarted, held: heldAs(schedule), elements, connections },
    tasks: tasks.map(({ state }) => state),
  });
  const hasEnded = status === "completed" || status === "failed";
  const stated = {
    ...{
      status,
      substatus,
      error: row.stopped !== null ? "Stopped" : hasEnded ? errorOf(elements, connections) : null,
    },
    start_time: row.start_time ?? (hasStarted ? farm.clock.now() : null),
    end_time: row.end_time ?? (hasEnded ? farm.clock.now() : null),
  };
  if (isStated(row, stated)) return; // progress alone is not worth a write
  const expires = hasEnded ? farm.clock.steady() + row.expiration * 60_000 : null;
  draft.setJob(job.id, {
    ...stated,
    progress: progressOf(job, status),
    expiration_time: row.expiration_time ?? expires,
    begun: hasEnded ? 1 : row.begun,
  });
  if (hasEnded) draft.after(() => farm.blame.forgetJob(job.id));
};

const isStated = (row: JobRow, stated: Partial<JobRow>): boolean =>
  Object.entries(stated).every(([column, value]) => row[column as keyof JobRow] === value); // a row's own columns

const progressOf = (job: JobValue, status: JobRow["status"]): number => {
  if (status === "completed") return 100;
  const { done, total } = shareOf(job);
  return Math.floor((100 * done) / Math.max(total, 1));
};

const heldAs = ({ paused, startAfter }: JobSchedule): JobView["held"] => {
  if (paused !== null) return "paused";
  return startAfter === null ? null : "scheduled";
};

/** The message of the first element that failed and was not handled. */
const errorOf = (elements: readonly ElementRunRow[], connections: JobValue["connections"]): string | null => {
  const first = elements.find(({ uid, state }) => state === "failed" && !isHandled(uid, elements, connections));
  return first ? `${first.uid}: ${first.failure?.message ?? "failed"}` : null;
};
