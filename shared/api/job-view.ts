import { z } from "zod";
import { causeNames, failure } from "../model/failure.ts";
import { finish, turn } from "../model/forecast.ts";
import { jobInfo } from "../model/job-info.ts";
import { taskInfo } from "../model/task.ts";
import { auditEntry } from "../people/audit.ts";
import { progress } from "../protocol/messages.ts";
import type { ElementRunState } from "../state/element-run.ts";
import { jobStatuses } from "../state/job.ts";
import { summaryPart } from "./explain.ts";

const elementStates = [
  "waiting",
  "planning",
  "running",
  "succeeded",
  "failed",
  "skipped",
] as const satisfies readonly ElementRunState[];

const uids = z.array(z.string()).readonly();
const count = z.number().int().nonnegative();

/** The data of an element on its job's page. */
const uiElement = z.strictObject({
  uid: z.string(),
  kind: z.string(),
  /** The kind's display name. */
  title: z.string(),
  name: z.string(),
  state: z.enum(elementStates),
  failure: failure.nullable(),
  /** Of one that runs once for each batch of a folder: how many runs there are, and how they stand; the others wait. */
  instances: z
    .strictObject({ total: count, running: count, succeeded: count, failed: count, skipped: count })
    .nullable(),
  /** The panel in which the job's page shows more of it. */
  panel: z.enum(["findings", "watch"]).optional(),
});
export type UiElement = z.output<typeof uiElement>;

export const uiTask = taskInfo.extend({
  uid: z.string(),
  element_uid: z.string(),
  /** The batches that it belongs to, outermost first, joined by dots; empty where it runs once in its job. */
  path: z.string(),
  purpose: z.enum(["facts", "work"]),
  /** Retries so far, and how often its node was lost. */
  retry_nr: count,
  losses: count,
  /** Why it failed; for a task that continues, why its last attempt failed. */
  cause: z.enum(causeNames).nullable(),
  progress_detail: progress.pick({ percent: true, fps: true, speed: true }).nullable(),
  /** The name of the node that runs, or ran, it. */
  node: z.string().nullable(),
});
export type UiTask = z.output<typeof uiTask>;

export const uiOutput = z.strictObject({
  version: z.string(),
  element_uid: z.string(),
  /** The total number of its files; `files` are the first of them. */
  file_count: count,
  files: z.array(z.strictObject({ uri: z.string(), size: z.number().nullable(), summary: z.string() })),
});
export type UiOutput = z.output<typeof uiOutput>;

/** Stopped: somebody ended it on purpose, so it did not fail. */
const taskCounts = z.strictObject({
  ...{ queued: count, running: count, completed: count, failed: count, stopped: count },
});

/** What a list of jobs is sorted by; `attention` puts jobs that need a person first. */
export const jobSorts = [
  "attention",
  "id",
  "name",
  "user_tag",
  "owner",
  "priority",
  "status",
  "progress",
  "creation_time",
  "start_time",
  "end_time",
] as const;
export type JobSort = (typeof jobSorts)[number];

/** The groups of the job list in their order; `failed` are those of the last 24 hours. */
export const jobGroups = ["failed", "active", "held", "ended"] as const;
export type JobGroup = (typeof jobGroups)[number];

/** What a job does now, or what it waits for, as data. */
export const activityEntry = z.strictObject({
  /** Its tasks that nodes are running. */
  running: z
    .strictObject({ tasks: count, nodes: z.array(z.string()), node_count: count, speed: z.number().nullable() })
    .nullable(),
  /** Which of its ready tasks does not start, and why. */
  waiting: z.strictObject({ task_id: z.string(), message: z.string(), parts: z.array(summaryPart) }).nullable(),
  /** When the next failed task is retried, and the retry's number and maximum; null if unlimited. */
  retry: z.strictObject({ at: z.string(), nr: count, of: count.nullable(), message: z.string() }).nullable(),
  /** It starts no tasks: paused since, or scheduled until. */
  held: z.strictObject({ since: z.string().nullable(), until: z.string().nullable() }).nullable(),
  /** Who stopped, paused or retried it last. */
  last_action: auditEntry.nullable(),
});
export type ActivityEntry = z.output<typeof activityEntry>;

/** A row of the job list. */
export const uiJobRow = jobInfo.extend({
  task_counts: taskCounts,
  happening: activityEntry,
  /** When it will be done. */
  finish: finish.nullable(),
  /** While it waits to begin. */
  turn: turn.nullable(),
});
export type UiJobRow = z.output<typeof uiJobRow>;

/** The number of jobs in one state. */
export const jobStateCount = z.strictObject({ status: z.enum(jobStatuses), substatus: z.string().nullable(), count });
export type JobStateCount = z.output<typeof jobStateCount>;

/** A group of the list: how many of its jobs are in each state. */
export const jobGroupCount = z.strictObject({ group: z.enum(jobGroups), count, states: z.array(jobStateCount) });
export type JobGroupCount = z.output<typeof jobGroupCount>;

/** The data of one job's page, with tasks a page at a time. */
export const uiJob = z.strictObject({
  info: jobInfo,
  warnings: z.array(z.string()),
  elements: z.array(uiElement),
  connections: z.array(z.strictObject({ from: uids, success: uids, error: uids })),
  /** All tasks of the job by status, independent of the requested page. */
  task_counts: taskCounts,
  tasks: z.array(uiTask),
  outputs: z.array(uiOutput),
  happening: activityEntry,
  /** When it will be done. */
  finish: finish.nullable(),
  /** While it waits to begin. */
  turn: turn.nullable(),
  /** The actions on it and who did them, newest first. */
  history: z.array(auditEntry),
});
export type UiJob = z.output<typeof uiJob>;
