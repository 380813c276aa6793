import { z } from "zod";
import { causeNames, failure } from "./causes.ts";
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

/** A row of the list of jobs. */
export const uiJobRow = jobInfo.extend({ task_counts: taskCounts });
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
});
export type UiJob = z.output<typeof uiJob>;
