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

/** Null is a value here, so `IS` compares; LIKE folds case for ASCII letters only. */
const rowsSql = `SELECT ${columns} FROM jobs
  WHERE (json_array_length(@statuses) = 0 OR status IN (SELECT value FROM json_each(@statuses)))
    AND (json_array_length(@substatuses) = 0
      OR EXISTS (SELECT 1 FROM json_each(@substatuses) AS wanted WHERE wanted.value IS substatus))
    AND (@text = '' OR name LIKE @pattern ESCAPE '\\' OR user_tag LIKE @pattern ESCAPE '\\'
      OR CAST(id AS TEXT) = @text)
  ORDER BY id DESC LIMIT @take OFFSET @skip`;

/** What the pages' list of jobs reads, on the reader thread. */
export const createJobListStore = ({ reader }: Db) => ({
  rows: ({ statuses, substatuses, text, skip, take }: JobListQuery): Promise<JobRow[]> =>
    reader.all<JobRow>(rowsSql, [
      {
        statuses: JSON.stringify(statuses),
        substatuses: JSON.stringify(substatuses),
        text,
        pattern: `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`,
        skip,
        take,
      },
    ]),
  taskStates: (jobIds: readonly number[]): Promise<{ job_id: number; state: TaskState; n: number }[]> =>
    reader.all(
      "SELECT job_id, state, count(*) AS n FROM tasks WHERE job_id IN (SELECT value FROM json_each(?)) GROUP BY job_id, state",
      [JSON.stringify(jobIds)],
    ),
});
