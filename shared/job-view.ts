import { z } from "zod";
import { causeNames, failure } from "./causes.ts";
import { deed } from "./deed.ts";
import { jobInfo } from "./job-info.ts";
import { progress } from "./protocol.ts";
import type { ElementRunState } from "./state/element-run.ts";
import { jobStatuses } from "./state/job.ts";
import { taskInfo } from "./task.ts";

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

/** What the page of one job shows of an element. */
const uiElement = z.strictObject({
  uid: z.string(),
  kind: z.string(),
  /** The kind in words. */
  title: z.string(),
  name: z.string(),
  state: z.enum(elementStates),
  failure: failure.nullable(),
});

export const uiTask = taskInfo.extend({
  uid: z.string(),
  element_uid: z.string(),
  purpose: z.enum(["facts", "work"]),
  /** Retries so far, and how often a node was lost with it. */
  retry_nr: count,
  losses: count,
  /** Why it failed; of a task that goes on, why its last attempt did. */
  cause: z.enum(causeNames).nullable(),
  progress_detail: progress.pick({ percent: true, fps: true, speed: true }).nullable(),
  /** Name of the node that has, or had, it. */
  node: z.string().nullable(),
});
export type UiTask = z.output<typeof uiTask>;

export const uiOutput = z.strictObject({
  version: z.string(),
  element_uid: z.string(),
  /** All of its files; `files` are the first of them. */
  file_count: count,
  files: z.array(z.strictObject({ uri: z.string(), size: z.number().nullable(), summary: z.string() })),
});
export type UiOutput = z.output<typeof uiOutput>;

const taskCounts = z.strictObject({ queued: count, running: count, completed: count, failed: count });

/** What a list of jobs is sorted by; `attention`: what needs a person stands first. */
export const jobSorts = [
  "attention",
  "id",
  "name",
  "user_tag",
  "priority",
  "status",
  "progress",
  "creation_time",
  "start_time",
  "end_time",
] as const;
export type JobSort = (typeof jobSorts)[number];

/** What a job does now, or what keeps it from doing anything, as data. */
export const happening = z.strictObject({
  /** Its tasks that nodes have now. */
  running: z
    .strictObject({ tasks: count, nodes: z.array(z.string()), node_count: count, speed: z.number().nullable() })
    .nullable(),
  /** Why one of its ready tasks does not start, and which. */
  waiting: z.strictObject({ task_id: z.string(), message: z.string() }).nullable(),
  /** When the next of its failed tasks starts again, and which try that is of how many; null without a bound. */
  retry: z.strictObject({ at: z.string(), nr: count, of: count.nullable(), message: z.string() }).nullable(),
  /** It starts no more tasks: paused since, or scheduled until. */
  held: z.strictObject({ since: z.string().nullable(), until: z.string().nullable() }).nullable(),
  /** Who stopped, paused or retried it last. */
  deed: deed.nullable(),
});
export type Happening = z.output<typeof happening>;

/** When something will be done: eight of ten chances lie between, and `likely` is the middle. */
export const finish = z.strictObject({ from: z.string(), likely: z.string(), to: z.string() });
export type Finish = z.output<typeof finish>;

/** A row of the list of jobs. */
export const uiJobRow = jobInfo.extend({ task_counts: taskCounts, happening, finish: finish.nullable() });
export type UiJobRow = z.output<typeof uiJobRow>;

/** How many jobs stand in one state. */
export const jobStateCount = z.strictObject({ status: z.enum(jobStatuses), substatus: z.string().nullable(), count });
export type JobStateCount = z.output<typeof jobStateCount>;

/** One job with everything its page shows, tasks a page at a time. */
export const uiJob = z.strictObject({
  info: jobInfo,
  warnings: z.array(z.string()),
  elements: z.array(uiElement),
  connections: z.array(z.strictObject({ from: uids, success: uids, error: uids })),
  /** All tasks of the job by status, whatever page of them was asked for. */
  task_counts: taskCounts,
  tasks: z.array(uiTask),
  outputs: z.array(uiOutput),
  happening,
  finish: finish.nullable(),
  /** What was done to it and by whom, newest first. */
  deeds: z.array(deed),
});
export type UiJob = z.output<typeof uiJob>;
