import { z } from "zod";
import { jobInfo } from "../model/job-info.ts";
import { node } from "../model/node.ts";
import { taskInfo } from "../model/task.ts";
import { alertPart } from "../outbound/alerts.ts";
import { progress } from "../protocol/messages.ts";

/** The server-sent events for pages and other listeners: `event` is the type, `data` the whole object. */
export const farmEvent = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("job.changed"), job: jobInfo }),
  z.strictObject({ type: z.literal("job.deleted"), job_id: z.string() }),
  z.strictObject({ type: z.literal("task.changed"), job_id: z.string(), task: taskInfo }),
  z.strictObject({
    type: z.literal("task.progress"),
    job_id: z.string(),
    task_id: z.string(),
    job_progress: z.number(),
    progress,
  }),
  z.strictObject({ type: z.literal("node.changed"), node }),
  z.strictObject({ type: z.literal("node.removed"), node_id: z.string() }),
  /** For people who want the farm's alerts on their desktop. */
  z.strictObject({
    type: z.literal("alert.told"),
    alert_id: z.string(),
    /** In English; `parts` says the same to whoever speaks another language. */
    title: z.string(),
    parts: z.array(alertPart),
    is_test: z.boolean(),
  }),
  /** Missed events are no longer stored: read everything again. */
  z.strictObject({ type: z.literal("reset") }),
]);
export type FarmEvent = z.output<typeof farmEvent>;
