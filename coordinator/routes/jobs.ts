import { idempotencyHeader } from "../../shared/api.ts";
import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/job.ts";
import { looseBoolean } from "../../shared/loose.ts";
import type { JobRow } from "../db/jobs.ts";
import type { Handlers } from "../http/server.ts";
import { dryRun } from "../work/dry-run.ts";
import type { Farm } from "../work/farm.ts";
import { pauseJob, resumeJob } from "../work/hold.ts";
import { jobInfoOf, taskInfoOf } from "../work/info.ts";
import { jobResult } from "../work/result/result.ts";
import { openText } from "../work/sealed.ts";
import { deleteJobs, stopJob } from "../work/stop.ts";
import { submitJob } from "../work/submit.ts";
import { updateJob } from "../work/update.ts";

type JobRoutes =
  | "createJob"
  | "updateJob"
  | "stopJob"
  | "pauseJob"
  | "resumeJob"
  | "deleteJob"
  | "deleteJobs"
  | "getDefinition"
  | "getResult"
  | "getJobInfo"
  | "listJobs"
  | "countJobs"
  | "listTasks";

export const jobHandlers = (farm: Farm): Pick<Handlers, JobRoutes> => {
  const { jobs, jobPages, tasks } = farm.stores;
  const answer = ({ job_id }: { job_id: string }) => ({ id: String(idOf(job_id)) });

  return {
    createJob: async (_args, { received: sent, headers, who }) => {
      const { dry_run: isDry, ...received } = sent;
      refuseOtherSchemas(farm, received.schema);
      if (looseBoolean().safeParse(isDry).data) return { id: noJob, ...(await dryRun(farm, received)) };
      const key = headers[idempotencyHeader];
      return { id: String(await submitJob(farm, received, key === undefined ? undefined : { who, key })) };
    },
    updateJob: async (args) => {
      await updateJob(farm, requireJob(farm, args.job_id).id, args);
      return answer(args);
    },
    stopJob: async (args) => {
      await stopJob(farm, idOf(args.job_id));
      return answer(args);
    },
    pauseJob: async (args) => {
      await pauseJob(farm, idOf(args.job_id));
      return answer(args);
    },
    resumeJob: async (args) => {
      await resumeJob(farm, idOf(args.job_id));
      return answer(args);
    },
    deleteJob: async (args) => {
      const deleted = await deleteJobs(farm, [idOf(args.job_id)]);
      if (deleted.length === 0) throw new AppError("NOT_FOUND", `There is no job ${args.job_id}`);
      return answer(args);
    },
    deleteJobs: async ({ ids }) => ({ items: (await deleteJobs(farm, numbers(ids))).map(String) }),
    getDefinition: ({ job_id }) => {
      const text = jobs.definition(requireJob(farm, job_id).id) ?? "{}";
      // As it was received, whatever PUT has changed since.
      return { priority: limits.defaultPriority, ...JSON.parse(openText(farm.vault, text)) };
    },
    getResult: ({ job_id }) => jobResult(farm, requireJob(farm, job_id)),
    getJobInfo: ({ job_id, fields }) => pick(jobInfoOf(requireJob(farm, job_id), farm.progress), fields),
    listJobs: async ({ ids, fields, filters, order, sort_field, skip, take }) => {
      // Ids that name no job leave nothing to list, which is not the same as no ids.
      const wanted = ids.length > 0 ? numbers(ids) : undefined;
      const rows = await jobPages.list({ ids: wanted, filters, order, sortField: sort_field, skip, take });
      return { items: rows.map((row) => pick(jobInfoOf(row, farm.progress), fields)) };
    },
    countJobs: async ({ filters }) => ({ count: await jobPages.count(filters) }),
    listTasks: ({ job_id, fields }) => {
      const rows = tasks.readOfJob(requireJob(farm, job_id).id);
      return { items: rows.map((row) => pick(taskInfoOf(row, farm.progress), fields)) };
    },
  };
};

export const requireJob = (farm: Farm, text: string): JobRow => {
  const job = farm.stores.jobs.read(idOf(text));
  if (!job) throw new AppError("NOT_FOUND", `There is no job ${text}`);
  return job;
};

/** A dry run's: ids of jobs begin at 1. */
const noJob = "0";

/** The test entry point pretends: what would touch media has no place there. */
const refuseOtherSchemas = ({ config }: Farm, schema: unknown = "service"): void => {
  if (config.entry !== "test" || schema === "api_test") return;
  const message = `this is the test entry point, which takes jobs of schema "api_test" alone, not ${JSON.stringify(schema)}`;
  throw new AppError("VALIDATION_FAILED", `schema: ${message}`, { details: [{ path: "schema", message }] });
};

/** A job's id is a decimal number, written as a string; anything else names no job. */
export const idOf = (text: string): number => {
  const [id] = numbers([text]);
  if (id === undefined) throw new AppError("NOT_FOUND", `"${text.slice(0, 40)}" is no id: ids are decimal numbers`);
  return id;
};

const numbers = (ids: readonly string[]): number[] => ids.filter((text) => /^\d{1,15}$/.test(text)).map(Number);

const pick = <T extends object, K extends keyof T>(whole: T, fields: readonly K[]): Partial<T> => {
  const entries = fields.map((field) => [field, whole[field]]);
  return Object.fromEntries(entries) as Partial<T>; // fromEntries forgets the keys it was given
};
