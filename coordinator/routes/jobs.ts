import { idempotencyHeader } from "../../shared/api.ts";
import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/job.ts";
import { looseBoolean } from "../../shared/loose.ts";
import { invalid } from "../../shared/validation.ts";
import type { Handlers } from "../http/server.ts";
import type { JobRow } from "../store/rows.ts";
import { dryRun } from "../work/dry-run.ts";
import type { Estimator } from "../work/estimates.ts";
import type { Farm } from "../work/farm.ts";
import { pauseJob, resumeJob } from "../work/hold-job.ts";
import { idsIn } from "../work/ids.ts";
import { jobInfoOf, taskInfoOf } from "../work/info.ts";
import { jobResult } from "../work/result/result.ts";
import { openText } from "../work/sealed.ts";
import { deleteJobs, stopJob } from "../work/stop.ts";
import { submitJob } from "../work/submit.ts";
import { updateJob } from "../work/update.ts";

const dryRunFlag = looseBoolean();

export const jobHandlers = (farm: Farm, estimator: Pick<Estimator, "ofJob">) => {
  const { jobs } = farm.store;
  const answer = ({ job_id }: { readonly job_id: string }) => ({ id: String(idOf(job_id)) });
  const doing = (act: (farm: Farm, jobId: number) => Promise<void>) => async (args: { readonly job_id: string }) => {
    await act(farm, idOf(args.job_id));
    return answer(args);
  };

  return {
    createJob: async (_args, { received: sent, headers, who, sender }) => {
      const { dry_run: isDry, ...received } = sent;
      refuseOtherSchemas(farm, received.schema);
      if (isDry !== undefined && dryRunFlag.safeParse(isDry).data)
        return { id: noJob, ...(await dryRun(farm, received, estimator)) };
      const key = headers[idempotencyHeader];
      const { id, warnings } = await submitJob(farm, received, key === undefined ? undefined : { who, key }, sender);
      return { id: String(id), ...(warnings.length > 0 && { warnings: [...warnings] }) };
    },
    updateJob: async (args) => {
      await updateJob(farm, idOf(args.job_id), args);
      return answer(args);
    },
    stopJob: doing(stopJob),
    pauseJob: doing(pauseJob),
    resumeJob: doing(resumeJob),
    deleteJob: async (args) => {
      const deleted = await deleteJobs(farm, [idOf(args.job_id)]);
      if (deleted.length === 0) throw new AppError("NOT_FOUND", `There is no job ${args.job_id}`);
      return answer(args);
    },
    deleteJobs: async ({ ids }) => ({ items: (await deleteJobs(farm, idsIn(ids))).map(String) }),
    getDefinition: async ({ job_id }) => {
      const text = await jobs.definition(idOf(job_id));
      if (text === undefined) throw noSuchJob(job_id);
      // As received, without later changes by PUT.
      return { priority: limits.defaultPriority, ...JSON.parse(openText(farm.vault, text)) };
    },
    getResult: async ({ job_id }) => {
      const report = await jobs.report(idOf(job_id));
      if (!report) throw noSuchJob(job_id);
      return jobResult(farm, report);
    },
    getJobInfo: async ({ job_id, fields }) => pick(jobInfoOf(await requireJob(farm, job_id), farm.progress), fields),
    listJobs: async ({ ids, fields, filters, order, sort_field, skip, take }) => {
      // A list with only unknown ids must match nothing; a missing list matches everything.
      const wanted = ids.length > 0 ? idsIn(ids) : undefined;
      const rows = await jobs.list({ ids: wanted, filters, order, sortField: sort_field, skip, take });
      return { items: rows.map((row) => pick(jobInfoOf(row, farm.progress), fields)) };
    },
    countJobs: async ({ filters }) => ({ count: await jobs.count(filters) }),
    listTasks: async ({ job_id, fields }) => {
      const rows = await jobs.tasks((await requireJob(farm, job_id)).id);
      return { items: rows.map((row) => pick(taskInfoOf(row, farm.progress), fields)) };
    },
  } satisfies Partial<Handlers>;
};

export const requireJob = async (farm: Farm, text: string): Promise<JobRow> => {
  const job = await farm.store.jobs.row(idOf(text));
  if (!job) throw noSuchJob(text);
  return job;
};

const noSuchJob = (text: string) => new AppError("NOT_FOUND", `There is no job ${text}`);

/** The id of a dry run: real job ids begin at 1. */
const noJob = "0";

/** The test entry point only simulates: jobs that would touch media are refused. */
const refuseOtherSchemas = ({ config }: Farm, schema: unknown = "service"): void => {
  if (config.entry !== "test" || schema === "api_test") return;
  const message = `the test entry point accepts only jobs of schema "api_test", not ${JSON.stringify(schema)}`;
  throw invalid([{ path: "schema", message }]);
};

/** A job's id is a decimal number as a string; anything else is unknown. */
export const idOf = (text: string): number => {
  const [id] = idsIn([text]);
  if (id === undefined) throw new AppError("NOT_FOUND", `"${text.slice(0, 40)}" is no id: ids are decimal numbers`);
  return id;
};

const pick = <T extends object, K extends keyof T>(whole: T, fields: readonly K[]): Partial<T> => {
  const entries = fields.map((field) => [field, whole[field]]);
  return Object.fromEntries(entries) as Partial<T>; // fromEntries forgets the keys it was given
};
