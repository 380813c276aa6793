import { type JobValue, shareOf } from "../kernel/job-value.ts";
import { withAvoided } from "../nodes/health/health-record.ts";
import { toRunningAttempt } from "../nodes/node-entry.ts";
import type { OpenTask } from "../schedule/open-task.ts";
import type { Change } from "../store/batch.ts";
import { fenceOf, isPaused, type JobRow, type TaskRow } from "../store/rows.ts";
import type { Attempts } from "./attempts.ts";
import { deadlineFor } from "./overdue-attempts.ts";
import { isSimulated, type Scripted, simulatedTask } from "./simulated-tasks.ts";

/**
 * Updates the rest of memory after changes of rows: ready lists, waits, slots, held jobs, the progress board. To undo
 * changes, it is called with the reversed ones.
 */
export const applyToIndexes = (farm: Attempts, changes: readonly Change[]): void => {
  const jobs = new Set<number>();
  for (const change of changes) {
    if (change.table === "attempts") followAttempt(farm, change);
    else if (change.table === "nodes") followNode(farm, change);
    else if (change.table === "groups") farm.registry.refreshGroup(String(change.key[0]));
    else if (change.table === "schedules" || (change.table === "jobs" && !isSubmission(change)))
      followJob(farm, change);
    if (change.job !== undefined && !isSubmission(change)) jobs.add(change.job);
  }
  for (const change of changes) if (change.table === "tasks") followTask(farm, change);
  for (const id of jobs) updateProgress(farm, id, farm.values.peekJob(id));
};

/** A job that is only stored is neither on the board nor held. */
const isSubmission = ({ table, before }: Change): boolean =>
  (table === "jobs" || table === "definitions") && before === undefined;

type ChangeOf<Table> = Extract<Change, { table: Table }>;

const followAttempt = (farm: Attempts, { before, after, job }: ChangeOf<"attempts">): void => {
  const attempt = after ?? before;
  if (!attempt) return;
  const task = farm.values.peekJob(job ?? attempt.job_id)?.tasks.get(attempt.task_id);
  if (after?.ended === null) {
    // Its start is noted without its job, which may have left memory: then it is held as it was.
    const held = task && { ...task, jobId: task.job_id };
    if (held) farm.registry.addRunning(after.node_id, toRunningAttempt(after, held, deadlineFor(farm, held.kind)));
    return;
  }
  farm.registry.removeRunning(attempt.node_id, fenceOf(attempt));
  farm.liveLogs.forget(fenceOf(attempt));
};

/** A revoked node leaves the registry once the revocation is durable (`revokeNode`). */
const followNode = (farm: Pick<Attempts, "clock" | "registry">, { after, before }: ChangeOf<"nodes">): void => {
  if (after?.revoked === null) farm.registry.put(after, farm.clock.monotonic());
  if (!after && before) farm.registry.remove(before.id);
};

const followJob = (farm: Attempts, change: ChangeOf<"jobs" | "schedules">): void => {
  const id = Number(change.key[0]);
  const value = farm.values.peekJob(id);
  if (value && isPaused(value.schedule) && !hasEnded(value.row)) farm.pausedJobs.set(id, value.schedule);
  else farm.pausedJobs.delete(id);
  const isMoved = change.table === "schedules" || change.before?.priority !== change.after?.priority;
  if (isMoved && value)
    for (const task of value.tasks.values()) if (task.state !== "completed") placeTask(farm, value, task);
};

const followTask = (farm: Attempts, { key, job, after }: ChangeOf<"tasks">): void => {
  const value = job === undefined ? undefined : farm.values.peekJob(job);
  if (value?.row && after) placeTask(farm, value, after);
  else takeAway(farm, Number(key[0]));
};

/** Returns a task whose claim failed to its list. If its job has left memory, the next claim loads it. */
export const reindexTask = (farm: Attempts, task: OpenTask): void => {
  const value = farm.values.peekJob(task.jobId);
  const row = value?.tasks.get(task.id);
  if (value && row) placeTask(farm, value, row);
  else if (!value && !farm.pausedJobs.has(task.jobId))
    farm.ready.add(withAvoided(farm.health, { ...task, avoids: [] }));
};

const takeAway = (farm: Attempts, taskId: number): void => {
  farm.ready.remove(taskId);
  farm.delayed.delete(taskId);
  farm.polls.remove(taskId);
  farm.simulated.delete(taskId);
  farm.progress.forgetTask(taskId);
};

/** Puts a task into the one list that fits its state. */
const placeTask = (farm: Attempts, { row, specs }: JobValue, task: TaskRow): void => {
  const { state, id } = task;
  farm.ready.remove(id);
  farm.delayed.delete(id);
  farm.simulated.delete(id);
  if (state !== "running" && state !== "committing") farm.progress.forgetTask(id);
  if (!row) {
    farm.polls.remove(id);
    return;
  }
  const openTask = { ...toOpenTask(task, row), ...inputsIn(farm, id) };
  indexTask(farm, openTask, specs.get(task.element_uid), task.retry_nr);
};

/** The number of inputs that are compared with what is close to a node. */
const mostInputs = 8;

const inputsIn = ({ values }: Pick<Attempts, "values">, taskId: number): Pick<OpenTask, "inputs"> => {
  const work = values.works.get(taskId);
  const assets = work && Object.values(work.assets).slice(0, mostInputs);
  return assets ? { inputs: assets.map(({ uri }) => uri) } : {};
};

export const indexTask = (farm: Attempts, task: OpenTask, spec: Scripted | undefined, retryNr: number): void => {
  const mayStart = task.state === "ready" && !farm.pausedJobs.has(task.jobId);
  if ((mayStart || task.state === "running") && isSimulated(task))
    farm.simulated.set(task.id, simulatedTask(spec, task, retryNr));
  else if (mayStart && !task.awaits) farm.ready.add(withAvoided(farm.health, task));
  if (mayStart && task.awaits) farm.polls.add(task);
  else farm.polls.remove(task.id);
  if (task.state === "delayed") farm.delayed.set(task.id, task);
};

export const toOpenTask = (task: TaskRow, job: Pick<JobRow, "priority">): OpenTask => ({
  id: task.id,
  jobId: task.job_id,
  name: task.name,
  state: task.state,
  priority: task.priority ?? job.priority,
  tags: task.tags,
  requires: task.requires,
  weight: task.weight,
  demand: task.demand,
  avoids: [],
  readyTime: task.ready_time,
  ...(task.awaits && { awaits: task.awaits }),
});

const hasEnded = (row: JobRow | undefined): boolean => !row || row.end_time !== null;

const updateProgress = (farm: Pick<Attempts, "progress">, id: number, value: JobValue | undefined): void => {
  if (value && !hasEnded(value.row)) {
    farm.progress.setJob(id, shareOf(value), value.row?.progress ?? 0);
    return;
  }
  farm.progress.forgetJob(id);
};
