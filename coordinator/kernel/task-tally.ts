import type { Instance } from "../../media/instances/graph-state.ts";
import { runKey } from "../../media/instances/path.ts";
import { assign, put, remove, type UndoLog } from "../../media/instances/undo-log.ts";
import type { TaskState } from "../../shared/state/task.ts";
import { doesWork, type TaskRow } from "../store/rows.ts";

/** The tasks of one instance, counted. */
export type RunTasks = {
  readonly ids: Map<number, true>;
  /** The tasks that have not ended. */
  open: number;
  failed: number;
  /** The tasks that do the element's work, and how many of them are done. */
  work: number;
  worked: number;
  /** The effort done, while the instance runs. */
  share: number;
};

/** Counts of a job's tasks, kept up to date with every change, so that no decision walks all of them. */
export type TaskTally = {
  readonly states: Map<TaskState, number>;
  /** Tasks that were ever assigned to a node. */
  started: number;
  readonly runs: Map<string, RunTasks>;
  /** The sum of these shares. */
  underway: number;
  /** Instances to settle: all of their tasks have ended, or one has failed. */
  readonly due: Map<string, Instance>;
};

export const createTally = (tasks: Iterable<TaskRow> = []): TaskTally => {
  const tally: TaskTally = { states: new Map(), started: 0, underway: 0, runs: new Map(), due: new Map() };
  for (const task of tasks) countTask(tally, undefined, task, () => undefined);
  return tally;
};

/** Updates the counts after a task was changed, added or removed. */
export const countTask = (
  tally: TaskTally,
  before: TaskRow | undefined,
  after: TaskRow | undefined,
  undo: UndoLog,
): void => {
  const task = after ?? before;
  if (!task) return;
  if (before) put(undo, tally.states, before.state, (tally.states.get(before.state) ?? 0) - 1);
  if (after) put(undo, tally.states, after.state, (tally.states.get(after.state) ?? 0) + 1);
  assign(undo, tally, "started", tally.started + hasStarted(after) - hasStarted(before));
  const instance = { uid: task.element_uid, path: task.path };
  const key = runKey(instance);
  const run = tally.runs.get(key) ?? { ids: new Map(), open: 0, failed: 0, work: 0, worked: 0, share: 0 };
  if (!tally.runs.has(key)) put(undo, tally.runs, key, run);
  if (after) put(undo, run.ids, task.id, true);
  else remove(undo, run.ids, task.id);
  for (const count of ["open", "failed", "work", "worked"] as const)
    assign(undo, run, count, run[count] + counts[count](after) - counts[count](before));
  if (run.failed > 0 || run.open === 0) put(undo, tally.due, key, instance);
  else remove(undo, tally.due, key);
};

const counts = {
  open: (task: TaskRow | undefined): number => Number(task !== undefined && !hasEnded(task)),
  failed: (task: TaskRow | undefined): number => Number(task?.state === "failed"),
  work: (task: TaskRow | undefined): number => Number(task !== undefined && doesWork(task)),
  worked: (task: TaskRow | undefined): number =>
    Number(task !== undefined && doesWork(task) && task.state === "completed"),
};

const hasEnded = ({ state }: TaskRow): boolean => state === "completed" || state === "failed";

const hasStarted = (task: TaskRow | undefined): number => Number(task !== undefined && task.start_time !== null);
