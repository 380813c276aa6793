import { z } from "zod";
import { causeNames } from "../model/failure.ts";
import { finish } from "../model/forecast.ts";
import { acknowledgement } from "../people/acknowledgement.ts";
import { auditEntry } from "../people/audit.ts";
import { uiJobRow } from "./job-view.ts";

const count = z.number().int().nonnegative();

/** Ready tasks by waiting time: below 5, 15, 30 and 60 minutes, and longer. */
export const waitBounds = [5, 15, 30, 60] as const;

export const failureGroup = z.strictObject({
  cause: z.enum(causeNames),
  message: z.string(),
  /** Failed attempts. */
  count,
  /** Of these, attempts whose task succeeded later. */
  recovered: count,
  jobs: z.array(z.string()).describe("Some of the jobs"),
  job_count: count,
  nodes: z.array(z.string()),
  last: z.string(),
  /** Failed attempts in each of 24 equal parts of the period. */
  parts: z.array(count),
});
export type FailureGroup = z.output<typeof failureGroup>;

/** So much of a failed job as tells it from others, and what it has in common with them. */
const failedJob = uiJobRow.pick({ id: true, name: true, error: true, creation_time: true, end_time: true });

/** The overview tells of so many failed jobs at most. */
export const mostFailed = 500;

/** The overview's data about the farm, in addition to its counts. */
export const overview = z.strictObject({
  now: z.string(),
  /** The ready task that has waited longest. */
  oldest_ready: z
    .strictObject({ task_id: z.string(), job_id: z.string(), job: z.string(), since: z.string() })
    .nullable(),
  waits: z.array(count),
  /** Completed tasks in equal parts of the last twelve hours; before `since` it is unknown. */
  throughput: z.strictObject({ parts: z.array(count), last_hour: count, hour_before: count, since: z.string() }),
  failures: z.array(failureGroup),
  /** Running tasks without progress for a long time. */
  stuck: z.array(
    z.strictObject({
      task_id: z.string(),
      job_id: z.string(),
      name: z.string(),
      node: z.string(),
      since: z.string(),
      progress: z.number(),
    }),
  ),
  /** Jobs that failed within a day, newest first, as far as they are told of. */
  failed: z.array(failedJob),
  failed_count: count,
  /** Paused jobs and waiting jobs: the first of each. */
  held: z.array(uiJobRow),
  waiting: z.array(uiJobRow),
  /** Running jobs, sorted by estimated end. */
  active: z.array(uiJobRow),
  active_count: count,
  /** What of all this somebody looks after already. */
  acknowledged: z.array(acknowledgement),
  /** Who paused, drained or activated each node last. */
  node_actions: z.array(auditEntry),
  /** When all work will be done; null if unknown. */
  empty: finish.nullable(),
  /** Open jobs without a known end. */
  unknown: count,
});
export type Overview = z.output<typeof overview>;
