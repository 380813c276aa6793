import type { Failure } from "../../shared/causes.ts";
import { elementOf } from "../../shared/elements/index.ts";
import { decide, type GraphConnection, isHandled } from "../../shared/graph.ts";
import { type JobView, jobState } from "../../shared/state/job.ts";
import type { ElementRunRow } from "../db/element-runs.ts";
import type { JobSchedule } from "../db/job-schedules.ts";
import type { TaskRow } from "../db/tasks.ts";
import type { Changes, Farm } from "./farm.ts";
import { passedOn, planRun } from "./plan.ts";

/** Elements of one job that start in one commit: planning hundreds would block the loop. The others follow in the next. */
export const startsAtOnce = 25;

/**
 * Takes a job as far as it goes by itself: settles elements whose tasks have ended, starts and skips what the graph
 * decides, and writes down the state that follows. Called within a commit, after anything that happened to the job.
 */
export const advance = (farm: Farm, changes: Changes, jobId: number): void => {
  const { elementRuns, jobs, tasks } = farm.stores;
  const connections = jobs.connections(jobId);
  for (;;) {
    const before = { runs: elementRuns.ofJob(jobId), connections, tasks: byElement(tasks.ofJob(jobId)) };
    for (const run of before.runs) settleRun(farm, changes, jobId, run, before);
    const runs = elementRuns.ofJob(jobId);
    const { start, skip } = decide(runs, connections);
    const left = start.length - startsAtOnce;
    if (left > 0) changes.unfinished.set(jobId, left);
    if (start.length + skip.length > 0) {
      const byUid = new Map(runs.map((run) => [run.uid, run]));
      const named = (uids: readonly string[]) => uids.flatMap((uid) => byUid.get(uid) ?? []);
      for (const run of named(skip)) elementRuns.move(jobId, run, "skip");
      for (const run of named(start.slice(0, startsAtOnce))) startRun(farm, changes, jobId, run, { runs, connections });
      if (left <= 0) continue; // what was started may have come to its end already
    }
    writeJobState(farm, changes, jobId);
    return;
  }
};

/** A job may have thousands: whoever goes through its elements must not go through all tasks for each. */
const byElement = (tasks: readonly TaskRow[]): ReadonlyMap<string, readonly TaskRow[]> =>
  Map.groupBy(tasks, ({ element_uid }) => element_uid);

const startRun = (farm: Farm, changes: Changes, jobId: number, run: ElementRunRow, graph: Graph): void => {
  farm.stores.elementRuns.move(jobId, run, "start");
  planRun(farm, changes, jobId, { ...run, state: "planning" }, graph);
};

/** Moves the run on, or plans it anew, where all of its tasks have ended. */
const settleRun = (farm: Farm, changes: Changes, jobId: number, run: ElementRunRow, parts: JobParts): void => {
  if (run.state !== "planning" && run.state !== "running") return;
  const own = parts.tasks.get(run.uid) ?? [];
  const failed = own.find(({ state }) => state === "failed");
  if (failed) {
    failRun(farm, changes, jobId, run, own, failed.failure);
    return;
  }
  if (own.length === 0 || own.some(({ state }) => state !== "completed")) return;
  if (run.state === "planning") planRun(farm, changes, jobId, run, parts);
  else farm.stores.elementRuns.move(jobId, run, "succeed", { assets: passedOn(farm, run, own, parts) });
};

const failRun = (
  farm: Farm,
  changes: Changes,
  jobId: number,
  run: ElementRunRow,
  own: readonly TaskRow[],
  failure: Failure | undefined,
): void => {
  endTasks(farm, changes, own, { cause: "cancelled", message: `another task of ${run.uid} failed` });
  farm.stores.elementRuns.move(jobId, run, "fail", { failure });
};

/** Ends what is still open of these tasks; their nodes are told after the commit. */
export const endTasks = (farm: Farm, changes: Changes, tasks: readonly TaskRow[], failure: Failure): void => {
  const now = farm.clock.now();
  for (const task of tasks) {
    if (!farm.stores.tasks.move(task, "fail", { failure, endTime: now })) continue;
    changes.tasks.add(task.id);
    const attempt = farm.stores.attempts.openOfTask(task.id);
    if (!attempt || !farm.stores.attempts.move(attempt, "cancel", now, { failure })) continue;
    const fence = { epoch: attempt.epoch, counter: attempt.counter };
    changes.ended.push({ nodeId: attempt.node_id, fence });
    changes.cancelled.push({ nodeId: attempt.node_id, fence, why: failure.message });
  }
};

type Graph = { readonly runs: readonly ElementRunRow[]; readonly connections: readonly GraphConnection[] };
type JobParts = Graph & { readonly tasks: ReadonlyMap<string, readonly TaskRow[]> };

/** Writes down the state that follows from the job's tasks as they are. Called within a commit. */
export const writeJobState = (farm: Farm, changes: Changes, jobId: number): void => {
  const { jobs, elementRuns, tasks, schedules } = farm.stores;
  const job = jobs.get(jobId);
  if (!job) return;
  const [elements, jobTasks, connections] = [elementRuns.ofJob(jobId), tasks.ofJob(jobId), jobs.connections(jobId)];
  const hasStarted = jobTasks.some(({ start_time }) => start_time !== null);
  const view = {
    isStopped: job.stopped !== null,
    hasStarted,
    held: heldAs(schedules.get(jobId)),
    elements,
    connections,
    tasks: jobTasks.map(({ state }) => state),
  };
  const { status, substatus } = jobState(view);
  const hasEnded = status === "completed" || status === "failed";
  const share = shareOf(elements, jobTasks);
  const error = job.stopped !== null ? "Stopped" : hasEnded ? errorOf(elements, connections) : null;
  const progress = status === "completed" ? 100 : Math.floor((100 * share.done) / Math.max(share.total, 1));
  jobs.setState({
    id: jobId,
    status,
    substatus,
    progress,
    error,
    now: farm.clock.now(),
    steady: farm.clock.steady(),
    hasEnded,
    hasStarted,
  });
  changes.jobs.add(jobId);
  changes.shares.set(jobId, hasEnded ? undefined : share);
};

const heldAs = ({ paused, startAfter }: JobSchedule): JobView["held"] => {
  if (paused !== null) return "paused";
  return startAfter === null ? null : "scheduled";
};

/** What the first element says that failed and was not handled. */
const errorOf = (elements: readonly ElementRunRow[], connections: readonly GraphConnection[]): string | null => {
  const first = elements.find(({ uid, state }) => state === "failed" && !isHandled(uid, elements, connections));
  return first ? `${first.uid}: ${first.failure?.message ?? "failed"}` : null;
};

/** Effort done and to come; what was skipped counts for nothing, what failed is never done. */
const shareOf = (runs: readonly ElementRunRow[], tasks: readonly TaskRow[]) => {
  const share = { done: 0, total: 0, tasks: new Map<number, number>() };
  const work = byElement(tasks.filter(({ purpose }) => purpose === "work"));
  for (const run of runs) {
    if (run.state === "skipped") continue;
    const effort = elementOf(run.kind)?.effort ?? 10;
    share.total += effort;
    if (run.state === "succeeded") share.done += effort;
    if (run.state !== "running") continue;
    const own = work.get(run.uid) ?? [];
    for (const { id, state } of own) {
      if (state === "completed") share.done += effort / own.length;
      else share.tasks.set(id, effort / own.length);
    }
  }
  return share;
};
