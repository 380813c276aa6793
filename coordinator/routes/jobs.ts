import type { z } from "zod";
import { idempotencyHeader } from "../../shared/api/idempotency.ts";
import type { bulkInput } from "../../shared/api/job-actions.ts";
import { AppError } from "../../shared/basics/errors.ts";
import { looseBoolean } from "../../shared/basics/loose-values.ts";
import { invalid } from "../../shared/basics/validation.ts";
import { redactJob } from "../../shared/credentials/redact.ts";
import { limits } from "../../shared/model/job.ts";
import { parseTraceParent, traceParentHeader } from "../../shared/outbound/traces.ts";
import { maySeeSecrets, type Reach } from "../../shared/rights/reach.ts";
import { printInPieces } from "../http/answers/printed-answers.ts";
import type { HandlerInput, Handlers } from "../http/server.ts";
import { changeJobs, matchingJobs, undoChanges } from "../jobs/bulk.ts";
import { idOf, idsIn } from "../jobs/job-ids.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { pauseJob, resumeJob } from "../jobs/pause.ts";
import { type Retried, retryJob, retryTask } from "../jobs/retry.ts";
import { deleteJob, deleteJobs, stopJob } from "../jobs/stop.ts";
import { submitJob } from "../jobs/submit.ts";
import { createUndos } from "../jobs/undo.ts";
import { updateJob } from "../jobs/update.ts";
import { createLines } from "../kernel/lines.ts";
import { mapInSlices } from "../kernel/time-slice.ts";
import { requireJobWithin, withinNow } from "../nodes/narrowing.ts";
import { openText } from "../secrets/sealing.ts";
import type { ReadTask } from "../store/job-reads.ts";
import type { JobRow } from "../store/rows.ts";
import { dryRun } from "../views/dry-run.ts";
import type { Estimator } from "../views/estimates.ts";
import { searchedJobs } from "../views/job-groups.ts";
import { buildJobInfo, buildTaskInfo } from "../views/job-info.ts";
import { jobOutputs } from "../views/outputs.ts";
import { reachedJobs, within } from "../views/reached.ts";
import { jobResult } from "../views/result/result.ts";
import { listWatches } from "../views/watch-view.ts";

const dryRunFlag = looseBoolean();

/** Kept only if it is valid. */
const traceOf = ({ [traceParentHeader]: text }: Readonly<Record<string, string | undefined>>): string | null =>
  text !== undefined && parseTraceParent(text) ? text : null;

export const jobHandlers = (farm: Jobs, estimator: Pick<Estimator, "ofJob">) => {
  const { jobs } = farm.store;
  const answer = ({ job_id }: { readonly job_id: string }) => ({ id: String(idOf(job_id)) });
  const doing = (act: (farm: Jobs, jobId: number) => Promise<unknown>) => async (args: { readonly job_id: string }) => {
    await act(farm, idOf(args.job_id));
    return answer(args);
  };

  return {
    createJob: async (_args, { received: sent, bytes, headers, who, sender, reach, narrowed }) => {
      const { dry_run: isDry, ...received } = sent;
      const within = withinNow(farm, narrowed);
      refuseOtherSchemas(farm, received.schema);
      if (isDry !== undefined && dryRunFlag.safeParse(isDry).data)
        return { id: noJob, ...(await dryRun(farm, received, estimator, { sender, reach, bytes, within })) };
      const key = headers[idempotencyHeader];
      const { id, warnings } = await submitJob(farm, received, key === undefined ? undefined : { who, key }, {
        sender: { ...sender, traceparent: traceOf(headers) },
        ...{ reach, bytes, within },
      });
      return { id: String(id), ...(warnings.length > 0 && { warnings: [...warnings] }) };
    },
    updateJob: async (args) => {
      await updateJob(farm, idOf(args.job_id), args);
      return answer(args);
    },
    pauseJob: doing(pauseJob),
    resumeJob: doing(resumeJob),
    deleteJob: doing(deleteJob),
    deleteJobs: async ({ ids }, { reach, narrowed, look }) => {
      const reached = await reachedJobs(farm, reach, idsIn(ids));
      const within = withinNow(farm, narrowed);
      // None is deleted where one may not be.
      for (const id of reached) await requireJobWithin(farm, within, id);
      return { items: (await deleteJobs(farm, reached, look)).map(String) };
    },
    getDefinition: async ({ job_id }, { sender }) => {
      const job = await requireJob(farm, job_id);
      const made = await farm.store.load.row("definitions", job.id);
      if (!made) throw noSuchJob(job_id);
      // As received, without later changes by PUT.
      const sent = { priority: limits.defaultPriority, ...JSON.parse(openText(farm.vault, made.definition)) };
      return maySeeSecrets(sender, job) ? sent : redactJob(sent);
    },
    getResult: async ({ job_id }, { who }) => {
      const report = await jobs.report(idOf(job_id));
      if (!report) throw noSuchJob(job_id);
      return printInPieces(farm.timeSlice, await jobResult(farm, report, who));
    },
    getJobInfo: async ({ job_id, fields }) => pick(buildJobInfo(await requireJob(farm, job_id), farm.progress), fields),
    listJobs: async ({ ids, fields, filters, order, sort_field, skip, take }, { reach }) => {
      // A list with only unknown ids must match nothing; a missing list matches everything.
      const wanted = ids.length > 0 ? idsIn(ids) : undefined;
      const rows = await jobs.list({ ...within(reach, { ids: wanted, filters }), order, sort: sort_field, skip, take });
      return { items: rows.map((row) => pick(buildJobInfo(row, farm.progress), fields)) };
    },
    countJobs: async ({ filters }, { reach }) => ({ count: await jobs.count(within(reach, { filters })) }),
    listTasks: async ({ job_id, fields }) => {
      const rows = await jobs.tasks((await requireJob(farm, job_id)).id);
      const infos = await mapInSlices(farm.timeSlice, rows, (row) => pick(buildTaskInfo(row, farm.progress), fields));
      return printInPieces(farm.timeSlice, { items: infos });
    },
  } satisfies Partial<Handlers>;
};

/** A job of more runs of elements is a large one. */
const mostLightRuns = 100;

/** Of one caller, so many changes of jobs may wait for each other. */
const mostChangesWaiting = 200_000;

/** A call that changes more jobs is a large one. */
const mostLightChanges = 500;

/** Whether somebody else asks for something just now. */
type Others = { readonly hasOthers: () => boolean };

/** What is done to jobs, and what they made. */
export const jobActionHandlers = (farm: Jobs, { hasOthers }: Others) => {
  const inLine = createLines(mostChangesWaiting);
  // What changes all of a large job is one decision; after a retry, its runs are planned as well.
  const inHeavyLine = createLines(mostChangesWaiting, { clock: farm.clock, times: 5, isNeeded: hasOthers });
  /** In the line of heavy work, after a look at whoever may have waited there for long. */
  const behindOthers = <T>({ who, look }: Pick<HandlerInput, "who" | "look">, work: () => Promise<T>): Promise<T> =>
    inHeavyLine(who, 1, async () => {
      await look();
      return work();
    });
  const undos = createUndos(farm.clock);
  /** The jobs that are meant, and those of them that the caller reaches. */
  const meantBy = async ({ ids = [], matching, count = 1 }: Bulk, reach: Reach) => {
    if (!matching) return { ids, reached: await reachedJobs(farm, reach, idsIn(ids)) };
    const selection = within(reach, searchedJobs(farm, matching, 0));
    const reached = await matchingJobs(farm, selection, { count, except: idsIn(matching.except) });
    return { ids: reached.map(String), reached };
  };
  return {
    changeJobs: (input, { who, sender, look }) => {
      const amount = input.ids?.length ?? input.count ?? 1;
      return (amount > mostLightChanges ? inHeavyLine : inLine)(who, amount, async () => {
        const { reach, narrowed } = await look();
        const { ids, reached } = await meantBy(input, reach);
        const caller = { by: sender.owner, reached: new Set(reached), within: withinNow(farm, narrowed), look };
        const { items, steps } = await changeJobs(farm, { ...input, ids }, caller);
        const undo = undos.remember(who, steps);
        return { items, ...(undo !== undefined && { undo }) };
      });
    },
    undoJobs: (input, { who, look }) => {
      const steps = undos.take(who, input.undo);
      return inLine(who, steps.length, async () => ({
        items: await undoChanges(farm, steps, { within: withinNow(farm, (await look()).narrowed), look }),
      }));
    },
    stopJob: async ({ job_id, note }, { sender, who, look }) => {
      const jobId = idOf(job_id);
      const stop = () => stopJob(farm, jobId, { by: sender.owner, note });
      const isLarge = (farm.values.peekJob(jobId)?.runs.size ?? 0) > mostLightRuns;
      await (isLarge ? behindOthers({ who, look }, stop) : stop());
      return { id: String(jobId) };
    },
    retryJob: async ({ job_id, scope, task_ids, replan }, caller) => {
      const [jobId, wish] = [idOf(job_id), { scope, taskIds: task_ids.map(idOf), replan }];
      return retriedOf(jobId, await behindOthers(caller, () => retryJob(farm, jobId, wish)));
    },
    retryTask: async ({ task_id, replan }, caller) => {
      const task = await requireTask(farm, task_id);
      return retriedOf(task.job_id, await behindOthers(caller, () => retryTask(farm, task, replan)));
    },
    listOutputs: async ({ job_id, ...page }) => jobOutputs(farm, (await requireJob(farm, job_id)).id, page),
    listWatches: async ({ job_id, ...page }) => ({
      items: await listWatches(farm, (await requireJob(farm, job_id)).id, page),
    }),
  } satisfies Partial<Handlers>;
};

type Bulk = z.output<typeof bulkInput>;

const retriedOf = (jobId: number, { tasks, elements, held }: Retried) => ({
  id: String(jobId),
  tasks: tasks.map(String),
  elements: [...elements],
  held,
});

export const requireJob = async (farm: Pick<Jobs, "store">, text: string): Promise<JobRow> => {
  const job = await farm.store.load.row("jobs", idOf(text));
  if (!job) throw noSuchJob(text);
  return job;
};

export const requireTask = async (farm: Pick<Jobs, "store">, text: string): Promise<ReadTask> => {
  const row = await farm.store.jobs.task(idOf(text));
  if (!row) throw new AppError("NOT_FOUND", `There is no task ${text}`);
  return row;
};

const noSuchJob = (text: string) => new AppError("NOT_FOUND", `There is no job ${text}`);

/** The id of a dry run: real job ids begin at 1. */
const noJob = "0";

/** The test entry point only simulates: jobs that would touch media are refused. */
const refuseOtherSchemas = ({ config }: Pick<Jobs, "config">, schema: unknown = "service"): void => {
  if (config.entry !== "test" || schema === "api_test") return;
  const message = `the test entry point accepts only jobs of schema "api_test", not ${JSON.stringify(schema)}`;
  throw invalid([{ path: "schema", message }]);
};

const pick = <T extends object, K extends keyof T>(whole: T, fields: readonly K[]): Partial<T> => {
  const entries = fields.map((field) => [field, whole[field]]);
  return Object.fromEntries(entries) as Partial<T>; // fromEntries forgets the keys it was given
};
