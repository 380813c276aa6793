import type { JobGroup } from "../../../../shared/api/job-view.ts";
import { jobSortFields } from "../../../../shared/model/job-info.ts";
import {
  inJson,
  isByState,
  isFileLike,
  isMeant,
  type JobQuery,
  type JobReads,
  type JobSelection,
  mostSearchedDefinitions,
  type StateCount,
} from "../../job-reads.ts";
import type { JobRow } from "../../rows.ts";
import type { Connections } from "../connections.ts";
import { jobColumns, shownStateSql } from "../tables.ts";

const isLike = (column: string, pattern = "@pattern"): string => `${column} LIKE ${pattern} ESCAPE '\\'`;

const textSql = ({ text = "", alsoIds = [] }: JobSelection): string => {
  const parts = [
    ...["name", "user_tag", "owner", "error"].map((column) => isLike(column)),
    "CAST(id AS TEXT) = @text",
    ...(alsoIds.length > 0 ? ["id IN (SELECT value FROM json_each(@alsoIds))"] : []),
    ...(isFileLike(text) ? [`id IN (${definitionsSql})`] : []),
  ];
  return `(${parts.join(" OR ")})`;
};

const definitionsSql = `SELECT job_id FROM job_definitions
  WHERE job_id > (SELECT max(id) FROM jobs) - ${mostSearchedDefinitions} AND ${isLike("elements", "@inJson")}`;

/** Without statistics SQLite would read all jobs of the status. */
const failedSql =
  "SELECT id FROM jobs INDEXED BY jobs_failed WHERE status = 'failed' AND substatus IS NULL AND end_time > @recent";
const isHeld = "substatus IN ('paused', 'scheduled')";

/**
 * The jobs of each group. Exceptions are few, so they are subtracted by their ids: a sorted index, which holds the status
 * as well, then answers without a look at the rows.
 */
const groups: Readonly<Record<JobGroup, string>> = {
  failed: `id IN (${failedSql})`,
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
  .map((where, at) => {
    const part = `SELECT id AS page_id, ${at} AS value FROM jobs WHERE ${where} ORDER BY id DESC LIMIT -1`;
    return `SELECT * FROM (${part})`;
  })
  .join(" UNION ALL ");

const rank = `CASE ${attention.map((where, at) => `WHEN ${where} THEN ${at}`).join(" ")} ELSE 9 END`;

/** Sorting at most this many jobs is faster than reading them from the index of the sorted field. */
const fewJobs = 5000;

type JobList = Pick<JobReads, "list" | "count" | "states" | "owners" | "taskStatesOf">;

/** Lists and counts of jobs for the API and the pages, on the reader thread. */
export const createJobList = ({ point, reader }: Connections): JobList => {
  const counts = point.prepare<[], StateCount>(
    "SELECT status, nullif(substatus, '') AS substatus, n FROM job_counts WHERE n > 0",
  );
  /** From the stored counts; undefined where more than states is asked for. */
  const known = (selection: JobSelection): StateCount[] | undefined =>
    isByState(selection) && !selection.group ? counts.all().filter(isMeant(selection)) : undefined;
  const areMany = (query: JobQuery): boolean => (query.size ?? sum(known(query) ?? [])) > fewJobs;
  return {
    list: async (query) => {
      if (query.take === 0) return [];
      const { skip, take } = query;
      return reader.all<JobRow>(rowsSql(query, areMany(query)), [{ ...paramsOf(query), skip, take }]);
    },
    count: async (selection) => {
      const found = known(selection);
      return found ? sum(found) : reader.count(`FROM jobs ${whereSql(selection)}`, [paramsOf(selection)]);
    },
    states: async (selection) =>
      known(selection) ??
      reader.all<StateCount>(
        `SELECT status, substatus, count(*) AS n FROM jobs ${whereSql(selection)} GROUP BY status, substatus`,
        [paramsOf(selection)],
      ),
    owners: async (atMost) => (await reader.all<{ owner: string }>(ownersSql, [atMost])).map(({ owner }) => owner),
    taskStatesOf: (jobIds) =>
      reader.all(
        `SELECT job_id, ${shownStateSql("")} AS state, count(*) AS n FROM tasks
         WHERE job_id IN (SELECT value FROM json_each(?)) GROUP BY 1, 2`,
        [JSON.stringify(jobIds)],
      ),
  };
};

const sum = (counts: readonly StateCount[]): number => counts.reduce((all, { n }) => all + n, 0);

/** From one owner to the next in the index, so that it does not matter how many jobs each of them has. */
const ownersSql = `WITH RECURSIVE next (owner) AS (
    SELECT min(owner) FROM jobs
    UNION ALL SELECT (SELECT min(owner) FROM jobs WHERE owner > next.owner) FROM next WHERE next.owner IS NOT NULL
  )
  SELECT owner FROM next WHERE owner IS NOT NULL LIMIT ?`;

/**
 * Ids first, then rows: the search for the page reads only an index, wherever there is one. Both parts name the same order,
 * so that SQLite does not sort again.
 */
const rowsSql = (query: JobQuery, areMany: boolean): string =>
  `SELECT ${jobColumns} FROM (${idsSql(query, areMany)} LIMIT @take OFFSET @skip) CROSS JOIN jobs ON id = page_id
   ORDER BY ${orderOf(query).order}`;

const idsSql = (query: JobQuery, areMany: boolean): string => {
  const { ids, filters, text, group, sort } = query;
  if (sort === "attention" && group === "active" && !ids && !text && filters.length === 0) return attentionSql;
  // Ids of one status are ordered in its own index.
  const isOneStatus = sort === "id" && !group && filters.every(({ values }) => values.length === 1);
  const { value, order } = orderOf(query);
  const where = whereSql(query, areMany && !isOneStatus ? "+" : "");
  return `SELECT id AS page_id, ${value} AS value FROM jobs ${where} ORDER BY ${order}`;
};

/** What jobs are sorted by, and the order of a page's values and ids. */
const orderOf = ({ sort, order, group }: JobQuery): { readonly value: string; readonly order: string } => {
  if (sort === "attention" && group === "active") return { value: rank, order: "value, page_id DESC" };
  // Newer jobs have higher ids, but only the index of times also holds the status.
  if (sort === "attention") return { value: "creation_time", order: "value DESC, page_id DESC" };
  // The field comes from the table, never from a client's text.
  const value = jobSortFields.find((each) => each === sort) ?? "id";
  return { value, order: `value ${order}, page_id ${order}` };
};

/** A plus before a column keeps SQLite from reading by it and sorting afterwards. */
const whereSql = (selection: JobSelection, plus: "+" | "" = ""): string => {
  const { ids, filters, text, group } = selection;
  const parts = [
    ...(group ? [plus + groups[group]] : []),
    ...(ids ? ["id IN (SELECT value FROM json_each(@ids))"] : []),
    ...filters.map(({ field, values }, nr) => oneOf(field === "status" ? plus + field : field, values, `@values${nr}`)),
    ...(text ? [textSql(selection)] : []),
  ];
  return parts.length > 0 ? `WHERE ${parts.join(" AND ")}` : "";
};

/** A column's values, of which one may be null. SQLite keeps the order of an index for one value, not for a list. */
const oneOf = (column: string, values: readonly (string | null)[], name: string): string => {
  const isOne = values.length === 1;
  const list = isOne ? `${column} = ${name}` : `${column} IN (SELECT value FROM json_each(${name}))`;
  if (!values.includes(null)) return list;
  return isOne ? `${column} IS NULL` : `(${column} IS NULL OR ${list})`;
};

const paramsOf = ({ ids, filters, text = "", alsoIds = [], recent = 0 }: JobSelection): Record<string, unknown> => {
  const lists = filters.map(({ values }, nr) => [
    `values${nr}`,
    values.length === 1 ? values[0] : JSON.stringify(values.filter((each) => each !== null)),
  ]);
  const patternOf = (part: string) => `%${part.replaceAll(/[\\%_]/g, "\\$&")}%`;
  return {
    ...{ ids: JSON.stringify(ids ?? []), alsoIds: JSON.stringify(alsoIds), text, recent },
    ...{ pattern: patternOf(text), inJson: patternOf(inJson(text)) },
    ...Object.fromEntries(lists),
  };
};
