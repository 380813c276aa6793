import type { FarmEvent } from "../../shared/events.ts";
import type { JobInfo } from "../../shared/job-info.ts";
import type { UiJob, UiJobRow, UiTask } from "../../shared/job-view.ts";
import type { Node } from "../../shared/node.ts";
import type { Progress } from "../../shared/protocol.ts";
import type { TaskInfo } from "../../shared/task.ts";
import { isSelected, type JobGroup, type JobSelection, jobGroupNames, jobGroups } from "./job-states.ts";

/** Events that came within one moment, folded: the last word of each job, task and node. */
export type Batch = {
  readonly isReset: boolean;
  /** null: deleted. */
  readonly jobs: ReadonlyMap<string, JobInfo | null>;
  readonly jobProgress: ReadonlyMap<string, number>;
  /** By task. */
  readonly tasks: ReadonlyMap<string, { readonly jobId: string; readonly task: TaskInfo }>;
  readonly taskProgress: ReadonlyMap<string, Progress>;
  /** null: revoked. */
  readonly nodes: ReadonlyMap<string, Node | null>;
};

export const foldEvents = (events: readonly FarmEvent[]): Batch => {
  const jobs = new Map<string, JobInfo | null>();
  const jobProgress = new Map<string, number>();
  const tasks = new Map<string, { jobId: string; task: TaskInfo }>();
  const taskProgress = new Map<string, Progress>();
  const nodes = new Map<string, Node | null>();
  let isReset = false;
  for (const event of events) {
    if (event.type === "reset") isReset = true;
    if (event.type === "job.changed") jobs.set(event.job.id, event.job);
    if (event.type === "job.deleted") jobs.set(event.job_id, null);
    if (event.type === "node.changed") nodes.set(event.node.id, event.node);
    if (event.type === "node.removed") nodes.set(event.node_id, null);
    if (event.type === "task.changed") {
      tasks.set(event.task.id, { jobId: event.job_id, task: event.task });
      taskProgress.delete(event.task.id);
    }
    if (event.type === "task.progress") {
      taskProgress.set(event.task_id, event.progress);
      jobProgress.set(event.job_id, event.job_progress);
    }
  }
  return { isReset, jobs, jobProgress, tasks, taskProgress, nodes };
};

export type JobPages = { readonly pages: readonly (readonly UiJobRow[])[]; readonly pageParams: readonly unknown[] };

/** How many jobs are asked for at once. */
export const jobsPerPage = 200;

/**
 * A list of jobs, newest first, after a batch: changed jobs in their place, those that belong no more gone, new ones where
 * their id puts them. What lies beyond the loaded end is left to be loaded. The same object where nothing changed.
 */
export const jobPagesAfter = (list: JobPages, batch: Batch, selection: JobSelection): JobPages => {
  const rows = list.pages.flat();
  const present = new Set(rows.map(({ id }) => id));
  const isComplete = (list.pages.at(-1)?.length ?? 0) < jobsPerPage;
  const lastId = Number(rows.at(-1)?.id ?? 0);
  const arrived = [...batch.jobs.values()].filter(
    (job): job is JobInfo =>
      job !== null && !present.has(job.id) && isSelected(job, selection) && (isComplete || Number(job.id) > lastId),
  );
  let isChanged = arrived.length > 0;
  const pages = list.pages.map((page) => {
    const next = page.flatMap((row) => rowAfter(row, batch, selection));
    if (next.length === page.length && next.every((row, index) => row === page[index])) return page;
    isChanged = true;
    return next;
  });
  if (!isChanged) return list;
  return { ...list, pages: insertByIdDown(pages, arrived.map(newRow)) };
};

/** The groups whose rows say how many of a job's tasks stand where, which no event tells: those that jobs came into. */
export const groupsOf = ({ jobs, tasks }: Batch): JobGroup[] => {
  const statuses = new Set<string | undefined>([...jobs.values()].map((job) => job?.status));
  if (tasks.size > 0) statuses.add("active");
  return jobGroupNames.filter((group) => jobGroups[group].statuses.some((status) => statuses.has(status)));
};

const newRow = (job: JobInfo): UiJobRow => ({
  ...job,
  task_counts: { queued: 0, running: 0, completed: 0, failed: 0 },
  happening: { running: null, waiting: null, retry: null, held: null, deed: null },
  finish: null,
});

const rowAfter = (row: UiJobRow, batch: Batch, selection: JobSelection): UiJobRow[] => {
  const job = batch.jobs.get(row.id);
  if (job === null || (job && !isSelected(job, selection))) return [];
  const progress = batch.jobProgress.get(row.id);
  if (!job && (progress === undefined || Math.floor(progress) === row.progress)) return [row];
  return [{ ...row, ...job, ...(progress === undefined ? {} : { progress: Math.floor(progress) }) }];
};

/** Each new row goes into the page whose ids it lies among. */
const insertByIdDown = (pages: readonly (readonly UiJobRow[])[], rows: readonly UiJobRow[]): UiJobRow[][] => {
  const next = pages.length > 0 ? pages.map((page) => [...page]) : [[]];
  for (const row of rows) {
    const page = next.find((each) => Number(each.at(-1)?.id ?? 0) < Number(row.id)) ?? next.at(-1);
    const at = page?.findIndex((each) => Number(each.id) < Number(row.id)) ?? -1;
    page?.splice(at < 0 ? page.length : at, 0, row);
  }
  return next;
};

/** A job's page after a batch. Elements and outputs are not in events: whoever holds the page reads them again. */
export const jobViewAfter = (view: UiJob, batch: Batch): UiJob => {
  const info = batch.jobs.get(view.info.id) ?? undefined;
  const progress = batch.jobProgress.get(view.info.id);
  const tasks = tasksAfter(view.tasks, batch);
  if (!info && progress === undefined && tasks === view.tasks) return view;
  const merged = { ...view.info, ...info, ...(progress === undefined ? {} : { progress: Math.floor(progress) }) };
  return { ...view, info: merged, tasks, task_counts: countsAfter(view, tasks) };
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

/** Counts move with the tasks that are loaded; the next reading puts right what lies beyond them. */
const countsAfter = (view: UiJob, tasks: readonly UiTask[]): UiJob["task_counts"] => {
  const counts = { ...view.task_counts };
  tasks.forEach(({ status }, index) => {
    const before = view.tasks[index]?.status;
    if (before === undefined || before === status) return;
    counts[before] = Math.max(0, counts[before] - 1);
    counts[status] += 1;
  });
  return counts;
};

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
