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
import type { Database } from "../connection/database.ts";
import { jobColumns, shownStateSql } from "../tables.ts";

type JobList = Pick<JobReads, "list" | "count" | "states" | "owners" | "taskStatesOf">;

/** Lists and counts of jobs for the API and the pages. */
export const createJobList = ({ ask }: Database): JobList => {
  /** From the stored counts; undefined where more than states is asked for. */
  const known = async (selection: JobSelection): Promise<StateCount[] | undefined> => {
    if (!isByState(selection) || selection.group) return undefined;
    return (await ask<StateCount>(countsSql)).filter(isMeant(selection));
  };
  return {
    list: async (query) => {
      if (query.take === 0) return [];
      const { sql, params } = rowsQuery(query);
      return ask<JobRow>(sql, ...params);
    },
    count: async (selection) => {
      const found = await known(selection);
      if (found) return found.reduce((all, { n }) => all + n, 0);
      const { params, where } = whereOf(selection);
      const [row] = await ask<{ n: number }>(`SELECT count(*) AS n FROM jobs ${where}`, ...params);
      return row?.n ?? 0;
    },
    states: async (selection) => {
      const found = await known(selection);
      if (found) return found;
      const { params, where } = whereOf(selection);
      const sql = `SELECT status, substatus, count(*) AS n FROM jobs ${where} GROUP BY status, substatus`;
      return ask<StateCount>(sql, ...params);
    },
    owners: async (atMost) => (await ask<{ owner: string }>(ownersSql, atMost)).map(({ owner }) => owner),
    taskStatesOf: (jobIds) =>
      ask(
        `SELECT job_id, ${shownStateSql} AS state, count(*) AS n FROM tasks WHERE job_id = ANY($1) GROUP BY 1, 2`,
        jobIds,
      ),
  };
};

const countsSql = "SELECT status, nullif(substatus, '') AS substatus, n FROM job_counts WHERE n > 0";

/** From one owner to the next in the index, so that it does not matter how many jobs each of them has. */
const ownersSql = `WITH RECURSIVE next (owner) AS (
    SELECT min(owner) FROM jobs
    UNION ALL SELECT (SELECT min(owner) FROM jobs WHERE owner > next.owner) FROM next WHERE next.owner IS NOT NULL
  )
  SELECT owner FROM next WHERE owner IS NOT NULL LIMIT $1`;

/** Active jobs by how much they need a person. */
const attention = [
  "substatus = 'retrying' AND status = 'active'",
  "substatus = 'waiting' AND status = 'active'",
  "substatus = 'running' AND status = 'active'",
  "substatus = 'waiting' AND status = 'queued'",
] as const;

const rank = `CASE ${attention.map((where, at) => `WHEN ${where} THEN ${at}`).join(" ")} ELSE 9 END`;

type Query = { readonly sql: string; readonly params: readonly unknown[] };

/** Ids first, then rows: the search for the page reads only an index, wherever there is one. */
const rowsQuery = (query: JobQuery): Query => {
  const { skip, take } = query;
  const { params, where, add } = whereOf(query);
  const limit = `LIMIT ${add(take)} OFFSET ${add(skip)}`;
  const { values, order } = orderOf(query);
  const ids = isAttentionAlone(query)
    ? attentionSql(add(skip + take))
    : `SELECT id AS page_id, ${values} FROM jobs ${where}`;
  const sql = `SELECT ${jobColumns} FROM (SELECT * FROM (${ids}) AS found ORDER BY ${order} ${limit}) AS page
    JOIN jobs ON jobs.id = page_id ORDER BY ${order}`;
  return { sql, params };
};

const isAttentionAlone = ({ ids, filters, text, group, sort }: JobQuery): boolean =>
  sort === "attention" && group === "active" && !ids && !text && filters.length === 0;

/** Each part is read from an index, newest first, as far as the page reaches. */
const attentionSql = (most: string): string =>
  attention
    .map(
      (where, at) => `(SELECT id AS page_id, ${at} AS value FROM jobs WHERE ${where} ORDER BY id DESC LIMIT ${most})`,
    )
    .join(" UNION ALL ");

/** Names and tags may be longer than an entry of an index: the index holds their beginnings. */
const long: ReadonlySet<string> = new Set(["name", "user_tag"]);

/** What jobs are sorted by, and the order of a page's values and ids. */
const orderOf = ({ sort, order, group }: JobQuery): { readonly values: string; readonly order: string } => {
  if (sort === "attention" && group === "active") return { values: `${rank} AS value`, order: "value, page_id DESC" };
  if (sort === "attention") return { values: "creation_time AS value", order: "value DESC, page_id DESC" };
  // The field comes from the table, never from a client's text.
  const field = jobSortFields.find((each) => each === sort) ?? "id";
  const way = order === "desc" ? "DESC NULLS LAST" : "ASC NULLS FIRST";
  const ids = order === "desc" ? "page_id DESC" : "page_id";
  if (!long.has(field)) return { values: `${field} AS value`, order: `value ${way}, ${ids}` };
  return {
    values: `left(${field}, 256) AS start, ${field} AS value`,
    order: `start ${way}, value ${way}, ${ids}`,
  };
};

const isHeld = "substatus IN ('paused', 'scheduled')";

/** The jobs of each group; `recent`: where the time is that failures are shown after. */
const groupSql = (group: JobGroup, recent: () => string): string => {
  const failed = () =>
    `SELECT id FROM jobs WHERE status = 'failed' AND substatus IS NULL AND end_time > ${recent()}::bigint`;
  switch (group) {
    case "failed":
      return `id IN (${failed()})`;
    case "active":
      return `status IN ('queued', 'active') AND (substatus IS NULL OR NOT ${isHeld})`;
    case "held":
      return isHeld;
    case "ended":
      return `status IN ('completed', 'failed') AND id NOT IN (${failed()})`;
  }
};

const whereOf = (selection: JobSelection) => {
  const { ids, filters, text, group, recent = 0 } = selection;
  const params: unknown[] = [];
  const add = (value: unknown): string => `$${params.push(value)}`;
  const parts = [
    ...(group ? [groupSql(group, () => add(recent))] : []),
    ...(ids ? [`id = ANY(${add(ids)}::bigint[])`] : []),
    ...filters.map(({ field, values }) => oneOf(field, values, add)),
    ...(text ? [textSql(selection, add)] : []),
  ];
  return { params, add, where: parts.length > 0 ? `WHERE ${parts.join(" AND ")}` : "" };
};

type Add = (value: unknown) => string;

/** A column's values, of which one may be null. */
const oneOf = (column: string, values: readonly (string | null)[], add: Add): string => {
  const texts = values.filter((each) => each !== null);
  if (texts.length === 0 && values.length > 0) return `${column} IS NULL`;
  const list = texts.length === 1 ? isText(column, add(texts[0])) : `${column} = ANY(${add(texts)}::text[])`;
  if (!values.includes(null)) return list;
  return `(${column} IS NULL OR ${list})`;
};

const isText = (column: string, param: string): string =>
  long.has(column) ? `(left(${column}, 256) = left(${param}, 256) AND ${column} = ${param})` : `${column} = ${param}`;

/** In the collation "C", `lower` changes A to Z alone. */
const textSql = ({ text = "", alsoIds = [] }: JobSelection, add: Add): string => {
  const isLike = (column: string, pattern: string) => `lower(${column} COLLATE "C") LIKE ${pattern}`;
  const pattern = add(patternOf(text));
  const parts = [
    ...["name", "user_tag", "owner", "error"].map((column) => isLike(column, pattern)),
    `id::text = ${add(text)}`,
    ...(alsoIds.length > 0 ? [`id = ANY(${add(alsoIds)}::bigint[])`] : []),
    ...(isFileLike(text)
      ? [`id IN (${definitionsSql} AND ${isLike("elements::text", add(patternOf(inJson(text))))})`]
      : []),
  ];
  return `(${parts.join(" OR ")})`;
};

const patternOf = (text: string): string => {
  const asked = text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  return `%${asked.replaceAll(/[\\%_]/g, "\\$&")}%`;
};

const definitionsSql = `SELECT job_id FROM job_definitions
  WHERE job_id > (SELECT max(id) FROM jobs) - ${mostSearchedDefinitions}`;
