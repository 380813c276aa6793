import { jobSorts } from "../../../shared/job-view.ts";
import type { JobListQuery, JobReads } from "../job-reads.ts";
import type { JobRow } from "../rows.ts";
import type { Connections } from "./connections.ts";
import { jobColumns } from "./tables.ts";

const textSql = `(name LIKE @pattern ESCAPE '\\' OR user_tag LIKE @pattern ESCAPE '\\' OR CAST(id AS TEXT) = @text)`;

/**
 * Jobs that need a person come first, then active, waiting, held and ended ones. Each part is read from an index,
 * newest first, and only if the parts before it returned too few.
 */
const attention = [
  "substatus IS NULL AND status = 'failed' AND end_time > @recent",
  "substatus = 'retrying' AND status = 'active'",
  "substatus = 'waiting' AND status = 'active'",
  "substatus = 'running' AND status = 'active'",
  "substatus = 'waiting' AND status = 'queued'",
  "substatus IN ('paused', 'scheduled')",
  "status IN ('completed', 'failed') AND NOT (substatus IS NULL AND status = 'failed' AND end_time > @recent)",
] as const;

const rank = `CASE ${attention.map((where, at) => `WHEN ${where} THEN ${at}`).join(" ")} ELSE 9 END`;

/** Queries of the pages' job list, on the reader thread. */
export const createJobList = ({ reader }: Connections): Pick<JobReads, "rows" | "countRows" | "taskStatesOf"> => ({
  rows: (query) => reader.all<JobRow>(rowsSql(query), [paramsOf(query)]),
  countRows: (query) => reader.count(`FROM jobs ${whereSql(query)}`, [paramsOf(query)]),
  taskStatesOf: (jobIds) =>
    reader.all(
      "SELECT job_id, state, count(*) AS n FROM tasks WHERE job_id IN (SELECT value FROM json_each(?)) GROUP BY job_id, state",
      [JSON.stringify(jobIds)],
    ),
});

const paramsOf = ({ statuses, substatuses, text, recent, skip, take }: JobListQuery) => ({
  statuses: JSON.stringify(statuses),
  substatuses: JSON.stringify(substatuses.filter((each) => each !== null)),
  text,
  pattern: `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`,
  recent,
  skip,
  take,
});

/** Ids first, then rows: the search for the page reads only an index, wherever there is one. */
const rowsSql = (query: JobListQuery): string => {
  const page = "LIMIT @take OFFSET @skip";
  const isWhole = query.statuses.length + query.substatuses.length === 0 && query.text === "";
  const sql = isWhole && query.sort === "attention" ? attentionSql : orderedSql(query);
  const ids = `SELECT page_id, row_number() OVER () AS place FROM (SELECT id AS page_id FROM (${sql}) ${page})`;
  return `SELECT ${jobColumns} FROM (${ids}) CROSS JOIN jobs ON id = page_id ORDER BY place`;
};

const attentionSql = attention
  .map((where) => `SELECT * FROM (SELECT id FROM jobs WHERE ${where} ORDER BY id DESC LIMIT -1)`)
  .join(" UNION ALL ");

const orderedSql = (query: JobListQuery): string => {
  // The field comes from the table, never from a client's text.
  const field = query.sort === "attention" ? undefined : jobSorts.find((each) => each === query.sort);
  const by = field === undefined ? `${rank}, id DESC` : `${field} ${query.order}, id ${query.order}`;
  return `SELECT id FROM jobs ${whereSql(query)} ORDER BY ${by}`;
};

const whereSql = ({ statuses, substatuses, text }: JobListQuery): string => {
  const alternatives = [
    ...(substatuses.includes(null) ? ["substatus IS NULL"] : []),
    ...(substatuses.some((each) => each !== null) ? ["substatus IN (SELECT value FROM json_each(@substatuses))"] : []),
  ];
  const parts = [
    ...(statuses.length > 0 ? ["status IN (SELECT value FROM json_each(@statuses))"] : []),
    ...(alternatives.length > 0 ? [`(${alternatives.join(" OR ")})`] : []),
    ...(text === "" ? [] : [textSql]),
  ];
  return parts.length > 0 ? `WHERE ${parts.join(" AND ")}` : "";
};
