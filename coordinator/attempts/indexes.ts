import { type JobValue, shareOf } from "../memory/job-value.ts";
import { heldOf } from "../memory/node-entry.ts";
import type { OpenTask } from "../schedule/open-task.ts";
import type { Change } from "../store/batch.ts";
import { fenceOf, isHeld, type JobRow, type TaskRow } from "../store/rows.ts";
import { isSimulated, simulatedTask } from "./api-test.ts";
import type { Farm } from "./farm.ts";
import { dueOf } from "./overdue.ts";

/**
 * Updates the rest of memory after changes of rows: ready lists, waits, slots, held jobs, the progress board. To undo
 * changes, it is called with the reversed ones.
 */
export const followChanges = (farm: Farm, changes: readonly Change[]): void => {
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
  for (const id of jobs) boardJob(farm, id, farm.values.peekJob(id));
};

/** A job that is only stored is neither on the board nor held. */
const isSubmission = ({ table, before }: Change): boolean =>
  (table === "jobs" || table === "definitions") && before === undefined;

type ChangeOf<Table> = Extract<Change, { table: Table }>;

const followAttempt = (farm: Farm, { before, after, job }: ChangeOf<"attempts">): void => {
  const attempt = after ?? before;
  if (!attempt) return;
  const task = farm.values.peekJob(job ?? attempt.job_id)?.tasks.get(attempt.task_id);
  if (after?.ended === null && task) {
    farm.registry.hold(after.node_id, heldOf(after, heldTask(task), dueOf(farm, task.kind)));
    return;
  }
  farm.registry.release(attempt.node_id, fenceOf(attempt));
  farm.tails.forget(fenceOf(attempt));
};

const heldTask = ({ id, job_id: jobId, name, weight, demand, tags }: TaskRow) => ({
  id,
  jobId,
  name,
  weight,
  demand,
  tags,
});

/** A revoked node leaves the registry once the revocation is durable (`revokeNode`). */
const followNode = (farm: Farm, { after, before }: ChangeOf<"nodes">): void => {
  if (after?.revoked === null) farm.registry.put(after, farm.clock.monotonic());
  if (!after && before) farm.registry.remove(before.id);
};

const followJob = (farm: Farm, change: ChangeOf<"jobs" | "schedules">): void => {
  const id = Number(change.key[0]);
  const value = farm.values.peekJob(id);
  if (value && isHeld(value.schedule) && !hasEnded(value.row)) farm.held.set(id, value.schedule);
  else farm.held.delete(id);
  const isMoved = change.table === "schedules" || change.before?.priority !== change.after?.priority;
  if (isMoved && value)
    for (const task of value.tasks.values()) if (task.state !== "completed") placeTask(farm, value, task);
};

const followTask = (farm: Farm, { key, job, after }: ChangeOf<"tasks">): void => {
  const value = job === undefined ? undefined : farm.values.peekJob(job);
  if (value?.row && after) placeTask(farm, value, after);
  else takeAway(farm, Number(key[0]));
};

/** Returns a task whose claim failed to its list. If its job has left memory, the next claim loads it. */
export const placeAgain = (farm: Farm, task: OpenTask): void => {
  const value = farm.values.peekJob(task.jobId);
  const row = value?.tasks.get(task.id);
  if (value && row) placeTask(farm, value, row);
  else if (!value && !farm.held.has(task.jobId)) farm.ready.add(withAvoided(farm, { ...task, avoids: [] }));
};

const takeAway = (farm: Farm, taskId: number): void => {
  farm.ready.remove(taskId);
  farm.delayed.delete(taskId);
  farm.waits.remove(taskId);
  farm.simulated.delete(taskId);
  farm.progress.forgetTask(taskId);
};

/** Puts a task into the one list that fits its state. */
const placeTask = (farm: Farm, { row, specs }: JobValue, task: TaskRow): void => {
  const { state, id } = task;
  farm.ready.remove(id);
  farm.delayed.delete(id);
  farm.simulated.delete(id);
  if (state !== "running" && state !== "committing") farm.progress.forgetTask(id);
  if (!row) {
    farm.waits.remove(id);
    return;
  }
  const openTask = { ...openTaskOf(task, row), ...inputsIn(farm, id) };
  placeOpenTask(farm, openTask, () => simulatedTask(specs.get(task.element_uid), openTask, task.retry_nr));
};

/** The number of inputs that are compared with what is close to a node. */
const mostInputs = 8;

const inputsIn = ({ values }: Farm, taskId: number): Pick<OpenTask, "inputs"> => {
  const work = values.works.get(taskId);
  return work
    ? {
        inputs: Object.values(work.assets)
          .slice(0, mostInputs)
          .map(({ uri }) => uri),
      }
    : {};
};

export const placeOpenTask = (farm: Farm, task: OpenTask, simulate: () => ReturnType<typeof simulatedTask>): void => {
  const mayStart = task.state === "ready" && !farm.held.has(task.jobId);
  if ((mayStart || task.state === "running") && isSimulated(task)) farm.simulated.set(task.id, simulate());
  else if (mayStart && !task.awaits) farm.ready.add(withAvoided(farm, task));
  if (mayStart && task.awaits) farm.waits.add(task);
  else farm.waits.remove(task.id);
  if (task.state === "delayed") farm.delayed.set(task.id, task);
};

export const openTaskOf = (task: TaskRow, job: Pick<JobRow, "priority">): OpenTask => ({
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

/** Adds the nodes that the task avoids. */
export const withAvoided = (farm: Farm, task: OpenTask): OpenTask => {
  const avoids = farm.blame.avoidedBy(task.jobId, task.id);
  return avoids.length > 0 ? { ...task, avoids } : task;
};

const hasEnded = (row: JobRow | undefined): boolean => !row || row.end_time !== null;

const boardJob = (farm: Farm, id: number, value: JobValue | undefined): void => {
  if (value && !hasEnded(value.row)) {
    farm.progress.setJob(id, shareOf(value), value.row?.progress ?? 0);
    return;
  }
  farm.progress.forgetJob(id);
};
