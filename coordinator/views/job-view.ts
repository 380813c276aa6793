import { summaryOf } from "../../media/formats/media-summary.ts";
import type { UiJob, UiOutput, UiTask } from "../../shared/api/job-view.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { TaskPage, TaskViewRow, VersionFiles } from "../store/job-reads.ts";
import type { JobRow } from "../store/rows.ts";
import { describeActivity } from "./activity.ts";
import { toAuditEntry } from "./audit.ts";
import { buildElementViews } from "./element-views.ts";
import { type Estimates, forecastOf } from "./estimates.ts";
import { buildJobInfo, buildTaskInfo } from "./job-info.ts";
import { noHappening, tasksByStatus } from "./job-rows.ts";

/** The data of a job's page, with one page of its tasks. */
export const jobView = async (
  farm: Jobs,
  job: JobRow,
  page: TaskPage,
  estimates: () => Promise<Estimates>,
): Promise<UiJob> => {
  const { jobs } = farm.store;
  const [outline, states, tasks, files, happenings, estimated, actions] = await Promise.all([
    jobs.outline(job.id),
    jobs.taskStatesOf([job.id]),
    jobs.tasks(job.id, page),
    jobs.files(job.id),
    describeActivity(farm, [job]),
    estimates(),
    farm.store.audit.list({ jobId: job.id }, 100),
  ]);
  const { elements, connections, warnings, runs } = outline;
  const shown = tasks.map((task) => taskViewOf(farm, task));
  return {
    info: buildJobInfo(job, farm.progress),
    warnings: [...warnings, ...shown.flatMap((task) => (task.warnings ?? []).map((each) => `${task.name}: ${each}`))],
    elements: buildElementViews(elements, connections, runs),
    connections: [...connections],
    task_counts: tasksByStatus(states),
    tasks: shown,
    outputs: files.map(outputOf),
    happening: happenings.get(job.id) ?? noHappening,
    ...forecastOf(estimated, job, farm.clock.now()),
    history: actions.map(toAuditEntry),
  };
};

const taskViewOf = (farm: Pick<Jobs, "progress">, row: TaskViewRow): UiTask => {
  const detail = farm.progress.task(row.id);
  return {
    ...buildTaskInfo(row, farm.progress),
    uid: row.uid,
    element_uid: row.element_uid,
    path: row.path,
    purpose: row.purpose,
    retry_nr: row.retry_nr,
    losses: row.losses,
    cause: row.state === "completed" ? null : (row.failure?.cause ?? null),
    progress_detail: detail ? { percent: detail.percent, fps: detail.fps, speed: detail.speed } : null,
    node: row.node,
  };
};

const outputOf = ({ files, ...version }: VersionFiles): UiOutput => ({
  ...version,
  files: files.map(({ facts, ...file }) => ({ ...file, summary: facts ? summaryOf(facts) : "" })),
});
