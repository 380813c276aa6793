import type { ActivityEntry, JobGroupCount, UiJobRow } from "../../shared/api/job-view.ts";
import { type TaskState, taskStatus } from "../../shared/state/task.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { JobRow } from "../store/rows.ts";
import { describeActivity } from "./activity.ts";
import { type Estimates, forecastOf } from "./estimates.ts";
import { countJobGroups, type JobPageQuery, searchedJobs, splitByGroup } from "./job-groups.ts";
import { buildJobInfo } from "./job-info.ts";

const dayMs = 86_400_000;

/** Nothing happens in the job. */
export const noHappening: ActivityEntry = { running: null, waiting: null, retry: null, held: null, last_action: null };

/** Tasks by status, as pages and programs know it. */
export const tasksByStatus = (states: readonly { readonly state: TaskState | "stopped"; readonly n: number }[]) => {
  const counts = { queued: 0, running: 0, completed: 0, failed: 0, stopped: 0 };
  for (const { state, n } of states) counts[state === "stopped" ? state : taskStatus[state]] += n;
  return counts;
};

/** One page of the job list, the total count, and the groups of the whole list. */
export const jobPage = async (
  farm: Jobs,
  asked: JobPageQuery,
  estimates: () => Promise<Estimates>,
): Promise<{ items: UiJobRow[]; count: number; groups: JobGroupCount[] }> => {
  const { skip, take, flat, sort, order } = asked;
  const selection = searchedJobs(farm, asked, farm.clock.now() - dayMs);
  const groups = await countJobGroups(farm, selection);
  const count = groups.reduce((sum, each) => sum + each.count, 0);
  // Jobs that need attention come in the order of their groups anyway.
  const isOne = flat && sort !== "attention";
  const parts = isOne ? onlyPart(count, skip, take) : splitByGroup(groups, skip, take);
  const rows = await Promise.all(parts.map((part) => farm.store.jobs.list({ ...selection, sort, order, ...part })));
  return { items: await buildJobRows(farm, rows.flat(), await estimates()), count, groups };
};

/** Of a list that has no such page, nothing is searched for a second time. */
const onlyPart = (size: number, skip: number, take: number) =>
  skip < size ? [{ group: undefined, size, skip, take }] : [];

/** Jobs with task counts by state, current activity, and estimated end. */
export const buildJobRows = async (
  farm: Jobs,
  rows: readonly JobRow[],
  estimates: Pick<Estimates, "jobs" | "turns">,
): Promise<UiJobRow[]> => {
  const states = Map.groupBy(await farm.store.jobs.taskStatesOf(rows.map(({ id }) => id)), ({ job_id }) => job_id);
  const happenings = await describeActivity(farm, rows);
  const now = farm.clock.now();
  return rows.map((row) => ({
    ...buildJobInfo(row, farm.progress),
    task_counts: tasksByStatus(states.get(row.id) ?? []),
    happening: happenings.get(row.id) ?? noHappening,
    ...forecastOf(estimates, row, now),
  }));
};
