import type { JobStatus } from "../../shared/state/job.ts";
import type { TaskState } from "../../shared/state/task.ts";
import type { JobRow } from "./jobs.ts";
import type { Db } from "./open.ts";

export type JobListQuery = {
  /** Absent values mean any; so do empty lists. */
  readonly statuses: readonly JobStatus[];
  readonly substatuses: readonly (string | null)[];
  readonly text: string;
  readonly skip: number;
  readonly take: number;
};

const columns =
  "id, name, user_tag, priority, status, substatus, progress, creation_time, start_time, end_time, expiration, expiration_time, error, stopped";

const textSql = `(name LIKE @pattern ESCAPE '\\' OR user_tag LIKE @pattern ESCAPE '\\' OR CAST(id AS TEXT) = @text)`;

/** What the pages' list of jobs reads, on the reader thread. */
export const createJobListStore = ({ reader }: Db) => ({
  rows: (query: JobListQuery): Promise<JobRow[]> => {
    const { statuses, substatuses, text, skip, take } = query;
    const pattern = `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`;
    const wanted = { statuses: JSON.stringify(statuses), substatuses: JSON.stringify(substatuses) };
    return reader.all<JobRow>(rowsSql(query), [{ ...wanted, text, pattern, skip, take }]);
  },
  taskStates: (jobIds: readonly number[]): Promise<{ job_id: number; state: TaskState; n: number }[]> =>
    reader.all(
      "SELECT job_id, state, count(*) AS n FROM tasks WHERE job_id IN (SELECT value FROM json_each(?)) GROUP BY job_id, state",
      [JSON.stringify(jobIds)],
    ),
});

/**
 * The newest of each state that is wanted are found by its index, and the newest of all of those are the page: the rest of
 * a million jobs is not looked at to find a few. Where a text is looked for, or any state is good, jobs are read from the
 * newest on.
 */
const rowsSql = ({ statuses, substatuses, text }: JobListQuery): string => {
  const states = [...new Set<string | null>(substatuses.length > 0 ? substatuses : statuses)];
  const column = substatuses.length > 0 ? "substatus" : "status";
  const also = [
    ...(substatuses.length > 0 && statuses.length > 0 ? ["+status IN (SELECT value FROM json_each(@statuses))"] : []),
    ...(text === "" ? [] : [textSql]),
  ];
  const newest = (where: readonly string[], page: string) =>
    `SELECT id FROM jobs ${where.length > 0 ? `WHERE ${where.join(" AND ")}` : ""} ORDER BY id DESC ${page}`;
  const wanted = states.map((_, at) => [`${column} IS (${stateSql(column, at)})`, ...also]);
  const page = "LIMIT @take OFFSET @skip";
  const rowsOf = (ids: string) => `SELECT ${columns} FROM jobs WHERE id IN (${ids}) ORDER BY id DESC`;
  if (wanted.length <= 1) return rowsOf(newest(wanted[0] ?? also, page));
  const parts = wanted.map((where) => `SELECT * FROM (${newest(where, "LIMIT @skip + @take")})`);
  return `${rowsOf(parts.join(" UNION ALL "))} ${page}`;
};

/** One of the states that are wanted; null is a state here, so `IS` compares. */
const stateSql = (column: "status" | "substatus", at: number): string =>
  `SELECT value FROM json_each(${column === "status" ? "@statuses" : "@substatuses"}) WHERE key = ${at}`;
