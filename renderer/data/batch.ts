import type { FarmEvent } from "../../shared/api/events.ts";
import type { JobGroupCount, UiJob, UiJobRow, UiTask } from "../../shared/api/job-view.ts";
import { togetherAsFast } from "../../shared/model/forecast.ts";
import type { JobInfo } from "../../shared/model/job-info.ts";
import type { Node } from "../../shared/model/node.ts";
import type { TaskInfo } from "../../shared/model/task.ts";
import type { Progress } from "../../shared/protocol/messages.ts";

/** The events of one moment, folded: the latest state of each job, task and node. */
export type Batch = {
  readonly isReset: boolean;
  /** null: deleted. */
  readonly jobs: ReadonlyMap<string, JobInfo | null>;
  readonly jobProgress: ReadonlyMap<string, number>;
  /** The speeds of tasks that told their progress, by job and task. */
  readonly jobSpeeds: ReadonlyMap<string, ReadonlyMap<string, number | undefined>>;
  /** By task. */
  readonly tasks: ReadonlyMap<string, { readonly jobId: string; readonly task: TaskInfo }>;
  readonly taskProgress: ReadonlyMap<string, Progress>;
  /** null: revoked. */
  readonly nodes: ReadonlyMap<string, Node | null>;
  /** What the farm tells, by message. */
  readonly alerts: ReadonlyMap<string, ToldAlert>;
};

type ToldAlert = Pick<Extract<FarmEvent, { type: "alert.told" }>, "parts" | "is_test">;

export const foldEvents = (events: readonly FarmEvent[]): Batch => {
  const jobs = new Map<string, JobInfo | null>();
  const jobProgress = new Map<string, number>();
  const jobSpeeds = new Map<string, Map<string, number | undefined>>();
  const tasks = new Map<string, { jobId: string; task: TaskInfo }>();
  const taskProgress = new Map<string, Progress>();
  const nodes = new Map<string, Node | null>();
  const alerts = new Map<string, ToldAlert>();
  let isReset = false;
  for (const event of events) {
    if (event.type === "reset") isReset = true;
    if (event.type === "job.changed") jobs.set(event.job.id, event.job);
    if (event.type === "job.deleted") jobs.set(event.job_id, null);
    if (event.type === "node.changed") nodes.set(event.node.id, event.node);
    if (event.type === "node.removed") nodes.set(event.node_id, null);
    if (event.type === "alert.told") alerts.set(event.alert_id, event);
    if (event.type === "task.changed") {
      tasks.set(event.task.id, { jobId: event.job_id, task: event.task });
      taskProgress.delete(event.task.id);
    }
    if (event.type === "task.progress") {
      taskProgress.set(event.task_id, event.progress);
      jobProgress.set(event.job_id, event.job_progress);
      const speeds = jobSpeeds.get(event.job_id) ?? new Map<string, number | undefined>();
      jobSpeeds.set(event.job_id, speeds.set(event.task_id, event.progress.speed));
    }
  }
  return { isReset, jobs, jobProgress, jobSpeeds, tasks, taskProgress, nodes, alerts };
};

/** Jobs per request. */
export const jobsPerPage = 100;

export type JobPage = {
  readonly items: readonly UiJobRow[];
  readonly count: number;
  readonly groups: readonly JobGroupCount[];
};

/**
 * A page of a job list after a batch: its rows are updated, and no row moves. The same object if nothing changed. Which
 * rows belong to the page, and in which order, is read again.
 */
export const jobPageAfter = (page: JobPage, batch: Batch): JobPage => {
  let isChanged = false;
  const items = page.items.map((row) => {
    const next = rowAfter(row, batch);
    if (next !== row) isChanged = true;
    return next;
  });
  return isChanged ? { ...page, items } : page;
};

const rowAfter = (row: UiJobRow, batch: Batch): UiJobRow => {
  const job = batch.jobs.get(row.id) ?? undefined;
  const progress = batch.jobProgress.get(row.id);
  const { running } = row.happening;
  const speeds = batch.jobSpeeds.get(row.id);
  // Only where every running task has told its speed, their sum is the job's.
  const speed = running && speeds?.size === running.tasks ? togetherAsFast([...speeds.values()]) : undefined;
  const isAsFast = speed === undefined || speed === running?.speed;
  if (!job && isAsFast && (progress === undefined || Math.floor(progress) === row.progress)) return row;
  return {
    ...row,
    ...job,
    ...(progress === undefined ? {} : { progress: Math.floor(progress) }),
    ...(isAsFast || !running ? {} : { happening: { ...row.happening, running: { ...running, speed } } }),
  };
};

/** A job's page after a batch. Events do not contain elements and outputs: the caller reads them again. */
export const jobViewAfter = (view: UiJob, batch: Batch): UiJob => {
  const info = batch.jobs.get(view.info.id) ?? undefined;
  const progress = batch.jobProgress.get(view.info.id);
  const tasks = tasksAfter(view.tasks, batch);
  if (!info && progress === undefined && tasks === view.tasks) return view;
  const merged = { ...view.info, ...info, ...(progress === undefined ? {} : { progress: Math.floor(progress) }) };
  return {
    ...view,
    info: merged,
    tasks,
    task_counts: countsAfter(view, tasks),
    happening: happeningAfter(view, tasks),
  };
};

/** A job is as fast as its tasks beside it say, where all running ones are shown. */
const happeningAfter = ({ happening }: UiJob, tasks: readonly UiTask[]): UiJob["happening"] => {
  const running = tasks.filter(({ status }) => status === "running");
  if (happening.running?.tasks !== running.length) return happening;
  const speed = togetherAsFast(running.map(({ progress_detail: detail }) => detail?.speed));
  return { ...happening, running: { ...happening.running, speed } };
};

const tasksAfter = (tasks: UiTask[], batch: Batch): UiTask[] => {
  let isChanged = false;
  const next = tasks.map((task) => {
    const changed = batch.tasks.get(task.id)?.task;
    const detail = batch.taskProgress.get(task.id);
    if (!changed && !detail) return task;
    isChanged = true;
    const progress = detail?.percent === undefined ? {} : { progress: Math.floor(detail.percent) };
    return { ...task, ...changed, ...progress, ...(detail ? { progress_detail: detail } : {}) };
  });
  return isChanged ? next : tasks;
};

/** Counts follow the loaded tasks; the next read corrects the rest. */
const countsAfter = (view: UiJob, tasks: readonly UiTask[]): UiJob["task_counts"] => {
  const counts = { ...view.task_counts };
  tasks.forEach((task, index) => {
    const old = view.tasks[index];
    if (old === undefined) return;
    const [before, status] = [countedAs(old), countedAs(task)];
    if (before === status) return;
    counts[before] = Math.max(0, counts[before] - 1);
    counts[status] += 1;
  });
  return counts;
};

const countedAs = ({ status, cause }: UiTask): keyof UiJob["task_counts"] =>
  status === "failed" && cause === "cancelled" ? "stopped" : status;

/** Nodes after a batch, in the order of their ids; their running tasks follow progress. */
export const nodesAfter = (nodes: readonly Node[], batch: Batch): readonly Node[] => {
  const known = new Set(nodes.map(({ id }) => id));
  const arrived = [...batch.nodes.values()].filter((node): node is Node => node !== null && !known.has(node.id));
  let isChanged = arrived.length > 0;
  const next = nodes.flatMap((node) => {
    const told = batch.nodes.get(node.id);
    const changed = told === null ? undefined : withProgress(told ?? node, batch);
    if (changed !== node) isChanged = true;
    return changed ?? [];
  });
  return isChanged ? [...next, ...arrived].sort((a, b) => Number(a.id) - Number(b.id)) : nodes;
};

const withProgress = (node: Node, batch: Batch): Node => {
  if (!node.running.some(({ task_id }) => batch.taskProgress.get(task_id)?.percent !== undefined)) return node;
  const running = node.running.map((task) => ({
    ...task,
    progress: batch.taskProgress.get(task.task_id)?.percent ?? task.progress,
  }));
  return { ...node, running };
};
