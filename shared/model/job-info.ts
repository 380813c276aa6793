import { z } from "zod";
import { isObject } from "../basics/plain-object.ts";
import { jobStatuses } from "../state/job.ts";

/** How a job came to the farm: from its pages, from a program, or from a watched folder. */
export const jobOrigins = ["pages", "api", "watchfolder"] as const;
export type JobOrigin = (typeof jobOrigins)[number];

/** The API's fields of a job; a client selects fields by name. Times are ISO 8601 in UTC with milliseconds. */
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
  owner: z.string().nullable().describe("The person or API user who sent it; null: not known"),
  origin: z.enum(jobOrigins).nullable(),
  parent_id: z.string().nullable().describe("The job whose watched folder began it"),
});
export type JobInfo = z.output<typeof jobInfo>;
export type JobInfoField = keyof JobInfo;
export const jobInfoFields = jobInfo.keyof().options;

/** Fields a list can be sorted by: columns of the store that have an index. */
export const jobSortFields = jobInfo
  .pick({
    ...{ id: true, name: true, user_tag: true, priority: true, status: true, substatus: true, progress: true },
    ...{ creation_time: true, start_time: true, end_time: true, expiration_time: true, owner: true },
  })
  .keyof().options;

/** A single value means a list with one value. */
const values = z.preprocess(
  (value) => (Array.isArray(value) || value === undefined ? value : [value]),
  z.array(z.union([z.string().max(2000), z.number()]).transform(String)).max(1000),
);
const jobFilter = z.strictObject({ field: z.enum(["name", "user_tag", "status", "substatus", "owner"]), values });
export type JobFilter = z.output<typeof jobFilter>;

/** Some clients send one filter without a list around it, some an object of values by field. */
export const jobFilters = z
  .preprocess((given) => {
    if (!isObject(given)) return given;
    if ("field" in given && "values" in given) return [given];
    return Object.entries(given).map(([field, wanted]) => ({ field, values: wanted }));
  }, z.array(jobFilter).max(50))
  .default([]);
