import type { JobFilter } from "../../../shared/job-info.ts";
import type { JobQuery, JobReads, StateCount } from "../job-reads.ts";
import type { JobRow } from "../rows.ts";
import type { Connections } from "./connections.ts";
import { jobColumns } from "./tables.ts";

/** Sorting at most this many jobs is faster than an index. */
const fewJobs = 5000;

/** Queries of the API's lists and counts, on the reader thread. */
export const createJobPages = ({ point, reader }: Connections): Pick<JobReads, "list" | "count" | "states"> => {
  const states = point.prepare<[], StateCount>(
    "SELECT status, nullif(substatus, '') AS substatus, n FROM job_counts WHERE n > 0",
  );
  const areMany = (filters: readonly JobFilter[]): boolean => (countByState(states.all(), filters) ?? 0) > fewJobs;

  return {
    list: async (query) => {
      if (query.take === 0) return [];
      return reader.all<JobRow>(...listSql(query, areMany(query.filters)));
    },
    count: async (filters) => {
      const counted = countByState(states.all(), filters);
      if (counted !== undefined) return counted;
      const { where, params } = conditions(undefined, filters);
      return reader.count(`FROM jobs ${where}`, params);
    },
    states: async () => states.all(),
  };
};

/** Undefined if the filters ask for more than states. */
const countByState = (states: readonly StateCount[], filters: readonly JobFilter[]): number | undefined => {
  if (filters.some(({ field }) => field !== "status" && field !== "substatus")) return undefined;
  const isMeant = (state: StateCount) =>
    filters.every(({ field, values }) => values.includes(String(field === "status" ? state.status : state.substatus)));
  return states.filter(isMeant).reduce((sum, { n }) => sum + n, 0);
};

/**
 * Ids first, then rows: the search for the page reads only an index. For many jobs it is the index of the sorted field,
 * which also holds the status.
 */
const listSql = ({ ids, filters, order, sortField, skip, take }: JobQuery, areMany: boolean): [string, unknown[]] => {
  // Ids of one status are ordered in its own index.
  const isOneStatus = sortField === "id" && filters.every(({ values }) => values.length === 1);
  const { where, params } = conditions(ids, filters, areMany && !isOneStatus);
  const sql = `WITH page AS (
      SELECT id AS page_id, ${sortField} AS value FROM jobs ${where} ORDER BY value ${order}, page_id ${order} LIMIT ? OFFSET ?
    )
    SELECT ${jobColumns} FROM page CROSS JOIN jobs ON id = page_id ORDER BY value ${order}, page_id ${order}`;
  return [sql, [...params, take, skip]];
};

/** Values within one filter are alternatives; filters are combined with AND. */
const conditions = (ids: readonly number[] | undefined, filters: readonly JobFilter[], areMany = false) => {
  const parts: string[] = [];
  const params: unknown[] = [];
  const oneOf = (column: string, values: readonly (string | number)[]) => {
    // SQLite keeps the order of an index for one value, and compares it faster than a list.
    const [only, ...more] = values;
    if (only !== undefined && more.length === 0) {
      parts.push(`${column} = ?`);
      params.push(only);
      return;
    }
    parts.push(`${column} IN (SELECT value FROM json_each(?))`);
    params.push(JSON.stringify(values));
  };
  if (ids) oneOf("id", ids);
  // The plus keeps SQLite from reading by status and sorting afterwards.
  for (const { field, values } of filters) oneOf(areMany && field === "status" ? "+status" : field, values);
  return { where: parts.length > 0 ? `WHERE ${parts.join(" AND ")}` : "", params };
};
