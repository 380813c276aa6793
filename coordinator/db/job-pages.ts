import type { JobFilter } from "../../shared/job-info.ts";
import { type JobStatus, jobStatuses } from "../../shared/state/job.ts";
import type { Stretch } from "./job-marks.ts";
import { jobsInOrder, type SortField } from "./job-order.ts";
import type { JobPositions } from "./job-positions.ts";
import { type JobRow, jobColumns } from "./jobs.ts";
import type { Db } from "./open.ts";

export type JobQuery = {
  /** Absent: all. */
  readonly ids: readonly number[] | undefined;
  readonly filters: readonly JobFilter[];
  readonly order: "asc" | "desc";
  readonly sortField: SortField;
  readonly skip: number;
  readonly take: number;
};

export type StateCount = { readonly status: JobStatus; readonly substatus: string | null; readonly n: number };

/** Pages that begin before this are walked to. */
const nearBy = 2000;
/** So few jobs are sorted faster than they are found in an order; so many stretches are too many to be read. */
const fewJobs = 5000;
const mostStretches = 20;

/** What the API's lists and counts read, on the reader thread. */
export const createJobPages = ({ point, reader }: Db, positions: JobPositions) => {
  const states = point.prepare<[], StateCount>(
    "SELECT status, nullif(substatus, '') AS substatus, n FROM job_counts WHERE n > 0",
  );

  const countOf = (statuses: readonly JobStatus[]): number =>
    states.all().reduce((sum, { status, n }) => sum + (statuses.includes(status) ? n : 0), 0);

  const read = async (query: JobQuery, statuses: readonly JobStatus[], stretches: readonly Stretch[]) => {
    const pages = stretches.map((stretch) => reader.all<JobRow>(...stretchSql(query, statuses, stretch)));
    return (await Promise.all(pages)).flat();
  };

  const listOrdered = async (query: JobQuery, statuses: readonly JobStatus[]): Promise<JobRow[] | undefined> => {
    const isAll = statuses.length === jobStatuses.length;
    const { order: direction, skip, take, sortField } = query;
    if (isAll && skip <= nearBy) return read(query, statuses, [{ key: undefined, skip, take }]);
    if (!isAll && countOf(statuses) <= fewJobs) return undefined;
    const page = { direction, statuses, skip, take };
    // Walking to a page of all jobs takes milliseconds. One of some statuses would have to be sorted: that is no sooner
    // done than marks are found, which serve the next page as well.
    const stretches =
      positions.stretches(sortField, page) ?? (isAll ? undefined : await positions.soon(sortField, page));
    return stretches && stretches.length <= mostStretches ? read(query, statuses, stretches) : undefined;
  };

  return {
    list: async (query: JobQuery): Promise<JobRow[]> => {
      if (query.take === 0) return [];
      const statuses = query.ids ? undefined : statusesOf(query.filters);
      const ordered = statuses && (await listOrdered(query, statuses));
      return ordered ?? reader.all<JobRow>(...listSql(query));
    },
    count: async (filters: readonly JobFilter[]): Promise<number> => {
      const counted = countByState(states.all(), filters);
      if (counted !== undefined) return counted;
      const { where, params } = conditions(undefined, filters);
      const rows = await reader.all<{ n: number }>(`SELECT count(*) AS n FROM jobs ${where}`, params);
      return rows[0]?.n ?? 0;
    },
    /** How many jobs stand in each state, as it was last committed; states without jobs are left out. */
    states: (): StateCount[] => states.all(),
  };
};

/** The statuses that filters leave; undefined where they ask for more than statuses. */
const statusesOf = (filters: readonly JobFilter[]): JobStatus[] | undefined => {
  if (filters.some(({ field }) => field !== "status")) return undefined;
  return jobStatuses.filter((status) => filters.every(({ values }) => values.includes(status)));
};

/** Undefined where filters ask for more than states. */
const countByState = (states: readonly StateCount[], filters: readonly JobFilter[]): number | undefined => {
  if (filters.some(({ field }) => field !== "status" && field !== "substatus")) return undefined;
  const isMeant = (state: StateCount) =>
    filters.every(({ field, values }) => values.includes(String(field === "status" ? state.status : state.substatus)));
  return states.filter(isMeant).reduce((sum, { n }) => sum + n, 0);
};

/** Ids first, rows after: the walk to the page reads nothing but an index, or next to it the status of few. */
const stretchSql = (
  { sortField, order }: JobQuery,
  statuses: readonly JobStatus[],
  { key, skip, take }: Stretch,
): [string, unknown[]] => {
  // The plus keeps SQLite from reading by status and sorting afterwards.
  const isAll = statuses.length === jobStatuses.length;
  const condition = isAll ? "TRUE" : `+status IN (${statuses.map((status) => `'${status}'`).join(", ")})`;
  const { sql, params } = jobsInOrder(sortField, order, key, condition);
  return [pageSql(`${sql} LIMIT ? OFFSET ?`, order), [...params, take, skip]];
};

const listSql = ({ ids, filters, order, sortField, skip, take }: JobQuery): [string, unknown[]] => {
  const { where, params } = conditions(ids, filters);
  const inner = `SELECT id AS page_id, ${sortField} AS value FROM jobs ${where} ORDER BY value ${order}, page_id ${order}`;
  return [pageSql(`${inner} LIMIT ? OFFSET ?`, order), [...params, take, skip]];
};

const pageSql = (inner: string, order: JobQuery["order"]): string =>
  `WITH page AS (${inner}) SELECT ${jobColumns} FROM page CROSS JOIN jobs ON id = page_id
   ORDER BY value ${order}, page_id ${order}`;

/** Values within one filter are alternatives, filters add up. */
const conditions = (ids: readonly number[] | undefined, filters: readonly JobFilter[]) => {
  const parts: string[] = [];
  const params: unknown[] = [];
  const oneOf = (column: string, values: readonly (string | number)[]) => {
    parts.push(`${column} IN (SELECT value FROM json_each(?))`);
    params.push(JSON.stringify(values));
  };
  if (ids) oneOf("id", ids);
  for (const { field, values } of filters) oneOf(field, values);
  return { where: parts.length > 0 ? `WHERE ${parts.join(" AND ")}` : "", params };
};
