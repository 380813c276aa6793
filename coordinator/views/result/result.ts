import { isoTime } from "../../iso-time.ts";
import { mapInSlices } from "../../kernel/time-slice.ts";
import type { Secrets } from "../../secrets/secrets.ts";
import { subscriptionKey } from "../../secrets/subscription-key.ts";
import type { JobReport } from "../../store/job-reads.ts";
import type { JobRow, TaskRow } from "../../store/rows.ts";
import { buildJobInfo } from "../job-info.ts";
import { type AttemptOfJob, attemptsByTask } from "./attempts.ts";
import { buildErrors } from "./errors.ts";
import { createConfigs, filesByUri, taskResult } from "./task.ts";

type Parts = Pick<Secrets, "clock" | "progress" | "vault">;

/**
 * The job's result, made for whoever reads it, at any time; of a large job, piece by piece. Ids are numbers here, as
 * clients expect.
 */
export const jobResult = async (farm: Parts & Pick<Secrets, "timeSlice">, report: JobReport, who: string) => {
  const { row: job, tasks } = report;
  const configOf = createConfigs(farm, report.elements);
  const attempts = attemptsByTask(report);
  const files = filesByUri(report);
  const of = ({ id }: TaskRow): readonly AttemptOfJob[] => attempts.get(id) ?? [];
  const parts = await mapInSlices(farm.timeSlice, tasks, (task) => ({
    errors: buildErrors(task, of(task), job.stopped !== null),
    task: taskResult(report, task, configOf(task.element_uid), of(task), files),
  }));
  return {
    errors: parts.flatMap(({ errors }) => errors),
    job: { ...jobPart(farm, report, who), hint_machine_time_sec: machineSeconds([...attempts.values()].flat()) },
    tasks: parts.map(({ task }) => task),
  };
};

const jobPart = (farm: Parts, { row: job, tasks, warnings }: JobReport, who: string) => {
  const info = buildJobInfo(job, farm.progress);
  return {
    id: job.id,
    job_class: 0,
    is_api_job: 1,
    priority: job.priority,
    creation_time: info.creation_time,
    expiration_time: info.expiration_time,
    hint_active_time_sec: activeSeconds(farm, job),
    last_times_updated: isoTime(lastChange(job, tasks)),
    subscription_key: subscriptionKey(farm, job, who),
    flags: 0,
    user_tag: job.user_tag,
    status: job.status,
    substatus: job.substatus,
    render_status: job.status,
    task_count: tasks.length,
    progress: info.progress,
    name: job.name,
    first_started: info.start_time,
    last_completed: info.end_time,
    warnings,
  };
};

/** From the first start to the end, or until now. */
const activeSeconds = (farm: Parts, { start_time, end_time }: JobRow): number =>
  start_time === null ? 0 : wholeSeconds((end_time ?? farm.clock.now()) - start_time);

const machineSeconds = (attempts: readonly AttemptOfJob[]): number =>
  wholeSeconds(attempts.reduce((sum, { stats }) => sum + (stats?.wallMs ?? 0), 0));

const wholeSeconds = (ms: number): number => Math.max(0, Math.round(ms / 1000));

const lastChange = (job: JobRow, tasks: readonly TaskRow[]): number =>
  tasks.reduce(
    (last, { creation_time, start_time, end_time }) => Math.max(last, creation_time, start_time ?? 0, end_time ?? 0),
    Math.max(job.creation_time, job.start_time ?? 0, job.end_time ?? 0),
  );
