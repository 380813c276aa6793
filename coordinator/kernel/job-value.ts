import { elementOf } from "../../media/elements/index.ts";
import type { Frame } from "../../media/instances/frame.ts";
import { frameAt } from "../../media/instances/graph.ts";
import type { Graph, Instance } from "../../media/instances/graph-state.ts";
import { runKey } from "../../media/instances/path.ts";
import { restoreGraph, restoreInSteps, type StoredMove } from "../../media/instances/restore.ts";
import { buildShape, type Shape } from "../../media/instances/shape.ts";
import { assign, type UndoLog } from "../../media/instances/undo-log.ts";
import type { ElementSpec } from "../../shared/model/job.ts";
import type { GraphConnection } from "../../shared/model/job-graph.ts";
import {
  countBatches,
  doesWork,
  type ElementRunRow,
  type JobRow,
  type JobSchedule,
  noSchedule,
  type StoredInstances,
  type StoredJob,
  type TaskRow,
} from "../store/rows.ts";
import { createTally, type RunTasks, type TaskTally } from "./task-tally.ts";
import { estimateBytes, rowWeight } from "./weight.ts";

/** One job as decisions see it. Without a row it does not exist, or was deleted. */
export type JobValue = {
  readonly id: number;
  row: JobRow | undefined;
  schedule: JobSchedule;
  /** In the order of the definition. */
  readonly specs: ReadonlyMap<string, ElementSpec>;
  /** Some of its elements change others after they have run. */
  readonly modifies: boolean;
  warnings: readonly string[];
  graph: Graph;
  /**
   * By the instance's key: elements that run once, in the definition's order, and begun instances of batches that have
   * not ended. Ended batches are only in the store.
   */
  readonly runs: Map<string, ElementRunRow>;
  /** The tasks of these runs, oldest first. */
  readonly tasks: Map<number, TaskRow>;
  tally: TaskTally;
  /** Ended batches are in memory too, for a retry. */
  isWhole: boolean;
};

type JobParts = Omit<StoredJob, "row"> & { readonly row: JobRow | undefined };

/** A stored job, with its open batches if it has any; `graph` if that is restored already. */
export const buildJobValue = (
  id: number,
  stored: JobParts = noJob,
  batches: StoredInstances = noJob,
  graph = graphOf(stored),
): JobValue => {
  const { row, schedule, elements, warnings } = stored;
  const runs = [...stored.runs, ...batches.runs];
  const tasks = [...stored.tasks, ...batches.tasks].sort((a, b) => a.id - b.id);
  const value: JobValue = {
    id,
    row,
    schedule,
    warnings,
    isWhole: false,
    specs: new Map(elements.map((spec) => [spec.uid, spec])),
    modifies: elements.some(({ kind }) => elementOf(kind)?.modifies),
    graph,
    runs: new Map(runs.map((run) => [runKey(run), run])),
    tasks: new Map(tasks.map((task) => [task.id, task])),
    tally: createTally(tasks),
  };
  shareAll(value);
  return value;
};

const shareAll = (value: JobValue): void => {
  for (const run of value.runs.values()) if (run.state === "running") updateShare(value, run, () => undefined);
};

/** Recounts the done work of an instance after its tasks or its state changed. */
export const updateShare = (value: JobValue, instance: Instance, undo: UndoLog): void => {
  const { tally, runs } = value;
  const tasks = tally.runs.get(runKey(instance));
  if (!tasks) return;
  const share = runs.get(runKey(instance))?.state === "running" ? workedOf(value, instance, tasks) : 0;
  assign(undo, tally, "underway", tally.underway + share - tasks.share);
  assign(undo, tasks, "share", share);
};

/** The graph of a stored job. */
const graphOf = (stored: JobParts): Graph => restoreGraph(...storedGraph(stored));

/** The same in steps: a job may have 100,000 instances. */
export const graphInSteps = (stored: JobParts): Generator<undefined, Graph> => restoreInSteps(...storedGraph(stored));

const storedGraph = ({ elements, connections, runs, moves }: JobParts) => {
  const found = new Map<string, StoredMove>();
  for (const move of moves) found.set(runKey(move), { ...move, batches: countBatches(move.batches) });
  for (const run of runs) if (run.state !== "waiting") found.set(runKey(run), toStoredMove(run));
  return [shapeFor(elements, connections), (instance: Instance) => found.get(runKey(instance))] as const;
};

/** The paths of batches that have not ended: what decisions need of the job's instances. */
export const openPathsOf = ({ frames }: Graph): string[] =>
  [...new Set([...frames.values()].map(({ path }) => path))].filter((path) => path !== "");

/** The graph and the counts, computed from all runs and tasks in memory. */
export const rederive = (value: JobValue): Pick<JobValue, "graph" | "tally"> => {
  const graph = restoreGraph(value.graph.shape, (instance) => {
    const run = value.runs.get(runKey(instance));
    return run && run.state !== "waiting" ? toStoredMove(run) : undefined;
  });
  const tally = createTally(value.tasks.values());
  shareAll({ ...value, graph, tally });
  return { graph, tally };
};

/** Drops an ended batch from memory once it is durable. Returns the approximate number of bytes that this frees. */
export const forgetFrame = (value: JobValue, { states, path }: Frame): number =>
  [...states.keys()].reduce((bytes, uid) => bytes + forgetRun(value, { uid, path }), 0);

/** Runs outside batches stay, and so do reopened batches. */
export const forgetRun = (value: JobValue, instance: Instance): number => {
  if (instance.path === "" || value.isWhole || frameAt(value.graph, instance)) return 0;
  const key = runKey(instance);
  const ids = [...(value.tally.runs.get(key)?.ids.keys() ?? [])];
  const bytes = rowWeight * ids.length + estimateBytes(value.runs.get(key)?.assets ?? []);
  for (const id of ids) value.tasks.delete(id);
  value.tally.runs.delete(key);
  value.runs.delete(key);
  return bytes;
};

/** Runs in memory whose batches have ended. */
export const endedRuns = ({ graph, runs }: JobValue): Instance[] =>
  [...runs.values()].filter((run) => run.path !== "" && !frameAt(graph, run));

/** Effort that is done, of `total`. */
export type JobShare = { readonly done: number; readonly total: number };

/** The share of a job: skipped work counts as zero, failed work never as done. */
export const shareOf = ({ graph, tally }: JobValue): JobShare => ({
  done: graph.done + tally.underway,
  total: graph.total,
});

/** The effort that one task of a running instance stands for. */
export const effortOf = (value: JobValue, task: TaskRow): number => {
  const { element_uid: uid, path } = task;
  const { work } = value.tally.runs.get(runKey({ uid, path })) ?? { work: 0 };
  return doesWork(task) && work > 0 ? effortAt(value, { uid, path }) / work : 0;
};

const workedOf = (value: JobValue, instance: Instance, { work, worked }: RunTasks): number =>
  work > 0 ? (effortAt(value, instance) * worked) / work : 0;

const effortAt = ({ graph }: JobValue, instance: Instance): number =>
  (graph.shape.elements.get(instance.uid)?.effort ?? 0) * (frameAt(graph, instance)?.weight ?? 0);

/** The tasks of one instance, oldest first. */
export const tasksOf = ({ tally, tasks }: JobValue, instance: Instance): TaskRow[] =>
  [...(tally.runs.get(runKey(instance))?.ids.keys() ?? [])].flatMap((id) => tasks.get(id) ?? []);

export const toStoredMove = ({ state, batches, failure }: ElementRunRow): StoredMove => ({
  state,
  batches: countBatches(batches),
  message: failure?.message,
});

const shapeFor = (elements: readonly ElementSpec[], connections: readonly GraphConnection[]): Shape =>
  buildShape(
    elements.map(({ uid, kind }) => {
      const { effort = usualEffort, batches } = elementOf(kind) ?? {};
      return { uid, effort, enumerates: batches !== undefined };
    }),
    connections,
  );

/** The effort of kinds that name none. */
const usualEffort = 10;

/** Has no row: it does not exist. */
export const noJob: JobParts = {
  row: undefined,
  schedule: noSchedule,
  elements: [],
  connections: [],
  warnings: [],
  runs: [],
  tasks: [],
  moves: [],
};
