import type { Finish, Happening, UiJobRow } from "../../shared/job-view.ts";
import { type TaskState, taskStatus } from "../../shared/state/task.ts";
import type { JobListQuery } from "../store/job-reads.ts";
import type { JobRow } from "../store/rows.ts";
import type { Estimates } from "./estimates.ts";
import type { Farm } from "./farm.ts";
import { happeningsOf } from "./happenings.ts";
import { jobInfoOf } from "./info.ts";

const dayMs = 86_400_000;

/** Nothing happens in the job. */
export const noHappening: Happening = { running: null, waiting: null, retry: null, held: null, deed: null };

/** Tasks by status, as pages and programs know it. */
export const tasksByStatus = (states: readonly { readonly state: TaskState; readonly n: number }[]) => {
  const counts = { queued: 0, running: 0, completed: 0, failed: 0 };
  for (const { state, n } of states) counts[taskStatus[state]] += n;
  return counts;
};

/** One page of the job list, and the total count. */
export const jobPage = async (
  farm: Farm,
  asked: Omit<JobListQuery, "recent">,
  estimates: () => Promise<Estimates>,
): Promise<{ items: UiJobRow[]; count: number }> => {
  const query = { ...asked, recent: farm.clock.now() - dayMs };
  const [rows, count] = await Promise.all([farm.store.jobs.rows(query), countOf(farm, query)]);
  return { items: await jobRowsOf(farm, rows, (await estimates()).jobs), count };
};

/** If only states are filtered, the count is already known. */
const countOf = async (farm: Farm, query: JobListQuery): Promise<number> => {
  const { statuses, substatuses, text } = query;
  if (text !== "") return farm.store.jobs.countRows(query);
  const states = await farm.store.jobs.states();
  return states
    .filter(({ status }) => statuses.length === 0 || statuses.includes(status))
    .filter(({ substatus }) => substatuses.length === 0 || substatuses.includes(substatus))
    .reduce((sum, { n }) => sum + n, 0);
};

/** Jobs with task counts by state, current activity, and estimated end. */
export const jobRowsOf = async (
  farm: Farm,
  rows: readonly JobRow[],
  finishes: ReadonlyMap<number, Finish>,
): Promise<UiJobRow[]> => {
  const states = Map.groupBy(await farm.store.jobs.taskStatesOf(rows.map(({ id }) => id)), ({ job_id }) => job_id);
  const happenings = await happeningsOf(farm, rows);
  return rows.map((row) => ({
    ...jobInfoOf(row, farm.progress),
    task_counts: tasksByStatus(states.get(row.id) ?? []),
    happening: happenings.get(row.id) ?? noHappening,
    finish: row.end_time === null ? (finishes.get(row.id) ?? null) : null,
  }));
};
