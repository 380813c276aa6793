import type { MediaFacts } from "../../shared/asset.ts";
import type { UiJob, UiOutput, UiTask } from "../../shared/job-view.ts";
import { summaryOf } from "../../shared/media-summary.ts";
import type { FileRow, TaskPage, TaskViewRow } from "../store/job-reads.ts";
import type { JobRow } from "../store/rows.ts";
import { auditEntryOf } from "./audit.ts";
import { elementViewsOf } from "./element-views.ts";
import type { Estimates } from "./estimates.ts";
import type { Farm } from "./farm.ts";
import { happeningsOf } from "./happenings.ts";
import { jobInfoOf, taskInfoOf } from "./info.ts";
import { noHappening, tasksByStatus } from "./job-rows.ts";

/** The data of a job's page, with one page of its tasks. */
export const jobView = async (
  farm: Farm,
  job: JobRow,
  page: TaskPage,
  estimates: () => Promise<Estimates>,
): Promise<UiJob> => {
  const { jobs } = farm.store;
  const [elements, runs, states, tasks, files, graph, happenings, { jobs: finishes }, actions] = await Promise.all([
    jobs.elements(job.id),
    jobs.runCounts(job.id),
    jobs.taskStatesOf([job.id]),
    jobs.taskViews(job.id, page),
    jobs.fileViews(job.id),
    jobs.graph(job.id),
    happeningsOf(farm, [job]),
    estimates(),
    farm.store.audit.ofJob(job.id, 100),
  ]);
  const { connections, warnings } = graph;
  const shown = tasks.map((task) => taskViewOf(farm, task));
  return {
    info: jobInfoOf(job, farm.progress),
    warnings: [...warnings, ...shown.flatMap((task) => (task.warnings ?? []).map((each) => `${task.name}: ${each}`))],
    elements: elementViewsOf(elements, connections, runs),
    connections: [...connections],
    task_counts: tasksByStatus(states),
    tasks: shown,
    outputs: outputsOf(files),
    happening: happenings.get(job.id) ?? noHappening,
    finish: job.end_time === null ? (finishes.get(job.id) ?? null) : null,
    history: actions.map(auditEntryOf),
  };
};

const taskViewOf = (farm: Farm, { cause, message, node, weaker, ...row }: TaskViewRow): UiTask => {
  const failure = cause === null ? undefined : { cause, message: message ?? "" };
  const detail = farm.progress.task(row.id);
  return {
    ...taskInfoOf(
      { ...row, failure, published: { weaker: weaker === null ? undefined : JSON.parse(weaker) } },
      farm.progress,
    ),
    uid: row.uid,
    element_uid: row.element_uid,
    path: row.path,
    purpose: row.purpose,
    retry_nr: row.retry_nr,
    losses: row.losses,
    cause: row.state === "completed" ? null : cause,
    progress_detail: detail ? { percent: detail.percent, fps: detail.fps, speed: detail.speed } : null,
    node,
  };
};

/** Rows of one version are adjacent. */
const outputsOf = (rows: readonly FileRow[]): UiOutput[] => {
  const outputs: UiOutput[] = [];
  for (const { version, element_uid, file_count, uri, size, facts } of rows) {
    const last = outputs.at(-1);
    const isSame = last?.version === version && last.element_uid === element_uid;
    const output = isSame ? last : { version, element_uid, file_count, files: [] };
    if (!isSame) outputs.push(output);
    const found: MediaFacts | undefined = facts === null ? undefined : JSON.parse(facts);
    output.files.push({ uri, size, summary: found ? summaryOf(found) : "" });
  }
  return outputs;
};
