import type { JobSort, JobStateCount } from "../../shared/api/job-view.ts";
import type { JobInfo } from "../../shared/model/job-info.ts";
import { jobStateName, type StateName } from "../../shared/model/state-labels.ts";

type Asked = { readonly statuses: readonly JobInfo["status"][]; readonly substatuses: readonly (string | null)[] };

/** The states by which job lists are filtered, and their names in the API. */
export const jobStates = {
  running: { statuses: ["active"], substatuses: ["running"] },
  retrying: { statuses: ["active"], substatuses: ["retrying"] },
  waiting: { statuses: ["active"], substatuses: ["waiting"] },
  queued: { statuses: ["queued"], substatuses: ["waiting"] },
  paused: { statuses: ["active", "queued"], substatuses: ["paused"] },
  scheduled: { statuses: ["active", "queued"], substatuses: ["scheduled"] },
  failed: { statuses: ["failed"], substatuses: [null] },
  stopped: { statuses: ["failed"], substatuses: ["stopped"] },
  completed: { statuses: ["completed"], substatuses: [null] },
  handled: { statuses: ["completed"], substatuses: ["handled_errors"] },
} as const satisfies Partial<Record<StateName, Asked>>;

export type JobStateFilter = keyof typeof jobStates;
export const jobStateFilters = Object.keys(jobStates) as JobStateFilter[]; // Object.keys forgets the literal names

/** What a list of jobs shows, and in which order. */
export type JobSelection = {
  readonly state?: JobStateFilter;
  readonly owner?: string;
  readonly text?: string;
  readonly sort?: JobSort;
  readonly order?: "asc" | "desc";
  /** One list, instead of one for each group. */
  readonly flat?: true;
};

/** Stands for jobs whose sender is not known; no name can be empty. */
export const unknownOwner = "";

/** The arguments of the request. */
export const argumentsOf = ({ state, owner, text, sort, order, flat }: JobSelection) => ({
  statuses: state ? [...jobStates[state].statuses] : [],
  substatuses: state ? [...jobStates[state].substatuses] : [],
  owners: owner === undefined ? [] : [owner === unknownOwner ? null : owner],
  text: text ?? "",
  sort: sort ?? "attention",
  order: order ?? "desc",
  flat: flat === true,
});

/** The number of jobs in a state, or of all jobs. */
export const countIn = (counts: readonly JobStateCount[] | undefined, state?: JobStateFilter): number | undefined =>
  counts
    ?.filter((each) => state === undefined || jobStateName(each) === state)
    .reduce((sum, { count }) => sum + count, 0);

/** How many jobs are in each state, by the names that people read: several statuses may have one name. */
export const countsByState = (counts: readonly JobStateCount[]): readonly (readonly [StateName, number])[] => {
  const sums = new Map<StateName, number>();
  for (const each of counts) sums.set(jobStateName(each), (sums.get(jobStateName(each)) ?? 0) + each.count);
  return [...sums];
};
