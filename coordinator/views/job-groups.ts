import { type JobGroup, type JobGroupCount, jobGroups } from "../../shared/job-view.ts";
import type { JobListFilter, StateCount } from "../store/job-reads.ts";
import type { Farm } from "./farm.ts";

/** The groups of a list of jobs, and how many jobs of each state they have. */
export const jobGroupsOf = async ({ store: { jobs } }: Farm, filter: JobListFilter): Promise<JobGroupCount[]> => {
  const { owners, text } = filter;
  // Without other filters the counts are already known.
  const counts = await (owners.length === 0 && text === "" ? jobs.states() : jobs.stateCounts(filter));
  const failed = counts.some(isFailed) ? await jobs.countFailed(filter) : 0;
  return groupCounts(counts.filter(isIn(filter)), failed);
};

const isFailed = ({ status, substatus }: Pick<StateCount, "status" | "substatus">): boolean =>
  status === "failed" && substatus === null;

const isIn =
  ({ statuses, substatuses }: JobListFilter) =>
  ({ status, substatus }: StateCount): boolean =>
    (statuses.length === 0 || statuses.includes(status)) &&
    (substatuses.length === 0 || substatuses.includes(substatus));

/** Groups from counts by state, of which so many failed recently. Groups without jobs are left out. */
export const groupCounts = (counts: readonly StateCount[], recentlyFailed: number): JobGroupCount[] => {
  const states = counts.flatMap(({ n, ...state }): JobGroupCount["states"][number][] => [{ ...state, count: n }]);
  const byGroup = new Map<JobGroup, JobGroupCount["states"]>(jobGroups.map((group) => [group, []]));
  for (const state of states) {
    const recent = isFailed(state) ? Math.min(recentlyFailed, state.count) : 0;
    byGroup.get("failed")?.push({ ...state, count: recent });
    byGroup.get(groupOf(state))?.push({ ...state, count: state.count - recent });
  }
  return [...byGroup]
    .map(([group, all]) => ({ group, states: all.filter(({ count }) => count > 0) }))
    .map(({ group, states }) => ({ group, count: states.reduce((sum, { count }) => sum + count, 0), states }))
    .filter(({ count }) => count > 0);
};

const groupOf = ({ status, substatus }: Pick<StateCount, "status" | "substatus">): JobGroup => {
  if (status === "completed" || status === "failed") return "ended";
  return substatus === "paused" || substatus === "scheduled" ? "held" : "active";
};

export type GroupPart = {
  readonly group: JobGroup;
  readonly size: number;
  readonly skip: number;
  readonly take: number;
};

/** The parts of groups that a page of the whole list consists of. */
export const partsOf = (groups: readonly Pick<JobGroupCount, "group" | "count">[], skip: number, take: number) => {
  let before = 0;
  return groups.flatMap(({ group, count }): GroupPart[] => {
    const from = Math.max(0, skip - before);
    const to = Math.min(count, skip + take - before);
    before += count;
    return from < to ? [{ group, size: count, skip: from, take: to - from }] : [];
  });
};
