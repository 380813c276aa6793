import type { z } from "zod";
import { type JobGroup, type JobGroupCount, jobGroups } from "../../shared/api/job-view.ts";
import type { Ui } from "../../shared/api/ui/ui-api.ts";
import type { JobFilter } from "../../shared/model/job-info.ts";
import type { Kernel } from "../kernel/kernel.ts";
import type { Nodes } from "../nodes/nodes.ts";
import type { JobSelection, StateCount } from "../store/job-reads.ts";

/** What a page of jobs is asked for; empty lists mean any. */
export type JobPageQuery = z.output<Ui["viewJobs"]["input"]>;
export type JobPageFilter = Pick<JobPageQuery, "statuses" | "substatuses" | "owners" | "text">;

type Values = JobSelection["filters"][number]["values"];

/** As the store knows it: fields with the values that are meant. */
export const filtersOf = (values: { readonly [F in JobFilter["field"]]?: Values }): JobSelection["filters"] =>
  Object.entries(values).flatMap(
    ([field, meant]) => (meant.length > 0 ? [{ field: field as JobFilter["field"], values: meant }] : []), // entries forget the names
  );

export const selectionOf = ({ statuses, substatuses, owners, text }: JobPageFilter, recent: number): JobSelection => ({
  filters: filtersOf({ status: statuses, substatus: substatuses, owner: owners }),
  text,
  recent,
});

/** Shorter texts are part of most nodes' names. */
const shortestName = 3;

/** The same where a text also means jobs that run now on a node of that name. */
export const searchedJobs = (
  { registry }: Pick<Nodes, "registry">,
  filter: JobPageFilter,
  recent: number,
): JobSelection => {
  const selection = selectionOf(filter, recent);
  const wanted = filter.text.trim().toLowerCase();
  if (wanted.length < shortestName) return selection;
  const alsoIds = new Set<number>();
  for (const { node, held } of registry.running())
    if (node.profile.name.toLowerCase().includes(wanted)) alsoIds.add(held.jobId);
  return { ...selection, alsoIds: [...alsoIds] };
};

/** The groups of a list of jobs, and how many jobs of each state they have. */
export const countJobGroups = async (
  { store: { jobs } }: Pick<Kernel, "store">,
  selection: JobSelection,
): Promise<JobGroupCount[]> => {
  const counts = await jobs.states(selection);
  return groupCounts(counts, counts.some(isFailed) ? await jobs.count({ ...selection, group: "failed" }) : 0);
};

const isFailed = ({ status, substatus }: Pick<StateCount, "status" | "substatus">): boolean =>
  status === "failed" && substatus === null;

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
export const splitByGroup = (groups: readonly Pick<JobGroupCount, "group" | "count">[], skip: number, take: number) => {
  let before = 0;
  return groups.flatMap(({ group, count }): GroupPart[] => {
    const from = Math.max(0, skip - before);
    const to = Math.min(count, skip + take - before);
    before += count;
    return from < to ? [{ group, size: count, skip: from, take: to - from }] : [];
  });
};
