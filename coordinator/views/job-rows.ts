import type { Finish, Happening, JobGroupCount, UiJobRow } from "../../shared/job-view.ts";
import { type TaskState, taskStatus } from "../../shared/state/task.ts";
import type { JobListQuery } from "../store/job-reads.ts";
import type { JobRow } from "../store/rows.ts";
import type { Estimates } from "./estimates.ts";
import type { Farm } from "./farm.ts";
import { happeningsOf } from "./happenings.ts";
import { jobInfoOf } from "./info.ts";
import { jobGroupsOf, partsOf } from "./job-groups.ts";

const dayMs = 86_400_000;

/** Nothing happens in the job. */
export const noHappening: Happening = { running: null, waiting: null, retry: null, held: null, last_action: null };

/** Tasks by status, as pages and programs know it. */
export const tasksByStatus = (states: readonly { readonly state: TaskState; readonly n: number }[]) => {
  const counts = { queued: 0, running: 0, completed: 0, failed: 0 };
  for (const { state, n } of states) counts[taskStatus[state]] += n;
  return counts;
};

/** One page of the job list, the total count, and the groups of the whole list. */
export const jobPage = async (
  farm: Farm,
  asked: JobPageQuery,
  estimates: () => Promise<Estimates>,
): Promise<{ items: UiJobRow[]; count: number; groups: JobGroupCount[] }> => {
  const { skip, take, flat, ...rest } = asked;
  const query = { ...rest, recent: farm.clock.now() - dayMs };
  const groups = await jobGroupsOf(farm, query);
  const count = groups.reduce((sum, each) => sum + each.count, 0);
  // Jobs that need attention come in the order of their groups anyway.
  const isOne = flat && query.sort !== "attention";
  const parts = isOne ? [{ group: undefined, size: count, skip, take }] : partsOf(groups, skip, take);
  const rows = await Promise.all(parts.map((part) => farm.store.jobs.rows({ ...query, ...part })));
  return { items: await jobRowsOf(farm, rows.flat(), (await estimates()).jobs), count, groups };
};

export type JobPageQuery = Omit<JobListQuery, "recent" | "group" | "size"> & { readonly flat: boolean };

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
