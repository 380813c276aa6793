import { z } from "zod";
import { jobStatuses } from "./state/job.ts";

/** What the API tells of a job; a client picks fields by name. Times are ISO 8601 in UTC with milliseconds. */
export const jobInfo = z.object({
  id: z.string(),
  name: z.string(),
  user_tag: z.string().nullable(),
  priority: z.number().int(),
  status: z.enum(jobStatuses),
  substatus: z.string().nullable(),
  progress: z.number().int().min(0).max(100),
  creation_time: z.string(),
  start_time: z.string().nullable(),
  end_time: z.string().nullable(),
  expiration_time: z.string().nullable(),
  error: z.string().nullable(),
});
export type JobInfo = z.output<typeof jobInfo>;
export type JobInfoField = keyof JobInfo;
export const jobInfoFields = jobInfo.keyof().options;

/** Fields a list can be sorted by: all but `error`. */
export const jobSortFields = jobInfo.omit({ error: true }).keyof().options;

export const jobFilter = z.strictObject({
  field: z.enum(["name", "user_tag", "status", "substatus"]),
  values: z.array(z.string().max(2000)).max(1000),
});
export type JobFilter = z.output<typeof jobFilter>;
