import { type JobGroup, jobSorts } from "../../../shared/job-view.ts";
import type { JobListFilter, JobListQuery, JobReads, StateCount } from "../job-reads.ts";
import type { JobRow } from "../rows.ts";
import type { Connections } from "./connections.ts";
import { jobColumns } from "./tables.ts";

const textSql = `(name LIKE @pattern ESCAPE '\\' OR user_tag LIKE @pattern ESCAPE '\\' OR owner LIKE @pattern ESCAPE '\\'
  OR CAST(id AS TEXT) = @text)`;

/** Without statistics SQLite would read all jobs of the status. */
const failedSql =
  "SELECT id FROM jobs INDEXED BY jobs_failed WHERE status = 'failed' AND substatus IS NULL AND end_time > @recent";
const isFailed = `id IN (${failedSql})`;
const isHeld = "substatus IN ('paused', 'scheduled')";

/**
 * The jobs of each group. Exceptions are few, so they are subtracted by their ids: a sorted index, which holds the status
 * as well, then answers without a look at the rows.
 */
const groups: Readonly<Record<JobGroup, string>> = {
  failed: isFailed,
  active: `status IN ('queued', 'active') AND id NOT IN (SELECT id FROM jobs WHERE ${isHeld})`,
  held: isHeld,
  ended: `status IN ('completed', 'failed') AND id NOT IN (${failedSql})`,
};

/** Active jobs by how much they need a person. Each part is read from an index, newest first, as far as it is needed. */
const attention = [
  "substatus = 'retrying' AND status = 'active'",
  "substatus = 'waiting' AND status = 'active'",
  "substatus = 'running' AND status = 'active'",
  "substatus = 'waiting' AND status = 'queued'",
] as const;

const attentionSql = attention
  .map((where) => `SELECT * FROM (SELECT id FROM jobs WHERE ${where} ORDER BY id DESC LIMIT -1)`)
  .join(" UNION ALL ");

const rank = `CASE ${attention.map((where, at) => `WHEN ${where} THEN ${at}`).join(" ")} ELSE 9 END`;

/** Sorting at most this many jobs is faster than reading them from the index of the sorted field. */
const fewJobs = 5000;

type JobList = Pick<JobReads, "rows" | "stateCounts" | "countFailed" | "owners" | "taskStatesOf">;

/** Queries of the pages' job list, on the reader thread. */
export const createJobList = ({ reader }: Connections): JobList => ({
  rows: (query) => reader.all<JobRow>(rowsSql(query), [{ ...paramsOf(query), skip: query.skip, take: query.take }]),
  stateCounts: (filter) =>
    reader.all<StateCount>(
      `SELECT status, substatus, count(*) AS n FROM jobs ${whereSql(filter)} GROUP BY status, substatus`,
      [paramsOf(filter)],
    ),
  countFailed: (filter) => reader.count(`FROM jobs ${whereSql(filter, [isFailed])}`, [paramsOf(filter)]),
  owners: async (atMost) => (await reader.all<{ owner: string }>(ownersSql, [atMost])).map(({ owner }) => owner),
  taskStatesOf: (jobIds) =>
    reader.all(
      "SELECT job_id, state, count(*) AS n FROM tasks WHERE job_id IN (SELECT value FROM json_each(?)) GROUP BY job_id, state",
      [JSON.stringify(jobIds)],
    ),
});

const paramsOf = ({ statuses, substatuses, owners, text, recent }: JobListFilter) => ({
  statuses: JSON.stringify(statuses),
  substatuses: JSON.stringify(substatuses.filter((each) => each !== null)),
  owners: JSON.stringify(owners.filter((each) => each !== null)),
  text,
  pattern: `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`,
  recent,
});

/** From one owner to the next in the index, so that it does not matter how many jobs each of them has. */
const ownersSql = `WITH RECURSIVE next (owner) AS (
    SELECT min(owner) FROM jobs
    UNION ALL SELECT (SELECT min(owner) FROM jobs WHERE owner > next.owner) FROM next WHERE next.owner IS NOT NULL
  )
  SELECT owner FROM next WHERE owner IS NOT NULL LIMIT ?`;

/** Ids first, then rows: the search for the page reads only an index, wherever there is one. */
const rowsSql = (query: JobListQuery): string => {
  const ids = `SELECT page_id, row_number() OVER () AS place
    FROM (SELECT id AS page_id FROM (${idsSql(query)}) LIMIT @take OFFSET @skip)`;
  return `SELECT ${jobColumns} FROM (${ids}) CROSS JOIN jobs ON id = page_id ORDER BY place`;
};

const idsSql = (query: JobListQuery): string => {
  const { group, size, sort } = query;
  if (sort === "attention" && group === "active" && !isFiltered(query)) return attentionSql;
  const isWalked = size > fewJobs;
  const member = group === undefined ? [] : [groups[group]];
  return `SELECT id FROM jobs ${whereSql(query, member, isWalked ? "+" : "")} ORDER BY ${orderSql(query)}`;
};

/** Newer jobs have higher ids, but only the index of times also holds the status. */
const newest = "creation_time DESC, id DESC";

const orderSql = ({ sort, order, group }: JobListQuery): string => {
  if (sort === "attention") return group === "active" ? `${rank}, id DESC` : newest;
  // The field comes from the table, never from a client's text.
  const field = jobSorts.find((each) => each === sort);
  return `${field} ${order}, id ${order}`;
};

const isFiltered = ({ statuses, substatuses, owners, text }: JobListFilter): boolean =>
  statuses.length + substatuses.length + owners.length > 0 || text !== "";

/** A plus before a column keeps SQLite from reading by it and sorting afterwards. */
const whereSql = (filter: JobListFilter, more: readonly string[] = [], plus: "+" | "" = ""): string => {
  const { statuses, substatuses, owners, text } = filter;
  const parts = [
    ...more.map((each) => plus + each),
    ...(statuses.length > 0 ? [`${plus}status IN (SELECT value FROM json_each(@statuses))`] : []),
    ...oneOf("substatus", substatuses, "@substatuses"),
    ...oneOf("owner", owners, "@owners"),
    ...(text === "" ? [] : [textSql]),
  ];
  return parts.length > 0 ? `WHERE ${parts.join(" AND ")}` : "";
};

/** A column's values, of which one may be null. */
const oneOf = (column: string, values: readonly (string | null)[], list: string): string[] => {
  const alternatives = [
    ...(values.includes(null) ? [`${column} IS NULL`] : []),
    ...(values.some((each) => each !== null) ? [`${column} IN (SELECT value FROM json_each(${list}))`] : []),
  ];
  return alternatives.length > 0 ? [`(${alternatives.join(" OR ")})`] : [];
};
