import type { Cause } from "../../shared/causes.ts";
import type { ElementRunState } from "../../shared/state/element-run.ts";
import type { TaskState } from "../../shared/state/task.ts";
import type { Db } from "./open.ts";
import type { TaskRow } from "./tasks.ts";

/** Files of one version that a page lists, and of all versions together. */
const filesAVersion = 200;
const filesAtMost = 5000;

type RawElement = {
  readonly uid: string;
  readonly kind: string;
  readonly name: string;
  readonly state: ElementRunState;
  readonly failure: string | null;
};

export type TaskViewRow = Omit<TaskRow, "intent" | "published" | "failure" | "tags" | "requires" | "weight"> & {
  readonly cause: Cause | null;
  readonly message: string | null;
  readonly node: string | null;
  /** JSON: what storage could not promise. */
  readonly weaker: string | null;
};

export type FileRow = {
  readonly element_uid: string;
  readonly version: string;
  readonly file_count: number;
  readonly uri: string;
  readonly size: number | null;
  /** JSON, as the agent found it. */
  readonly facts: string | null;
};

const elementsSql = `SELECT spec ->> '$.uid' AS uid, spec ->> '$.kind' AS kind, spec ->> '$.name' AS name,
    coalesce(state, 'waiting') AS state, failure
  FROM (SELECT job_id AS id, key, value AS spec FROM job_definitions, json_each(elements) WHERE job_id = ?)
    LEFT JOIN element_runs ON job_id = id AND uid = spec ->> '$.uid'
  ORDER BY key`;

const tasksSql = `SELECT tasks.id, tasks.job_id, element_uid, uid, tasks.name, kind, purpose, tasks.state,
    coalesce(tasks.priority, jobs.priority) AS priority, retry_count, retry_delay_sec, retry_nr, losses, attempt,
    tasks.creation_time, ready_time, tasks.start_time, tasks.end_time, attempts.node_id,
    tasks.failure ->> '$.cause' AS cause, tasks.failure ->> '$.message' AS message, hello ->> '$.name' AS node,
    published -> '$.weaker' AS weaker
  FROM tasks JOIN jobs ON jobs.id = job_id
    LEFT JOIN attempts ON attempts.counter = attempt
    LEFT JOIN nodes ON nodes.id = attempts.node_id
  WHERE job_id = ? ORDER BY tasks.id LIMIT ? OFFSET ?`;

const filesSql = `WITH made AS MATERIALIZED (
    SELECT tasks.id AS task_id, element_uid, made.value AS files,
      coalesce((SELECT planned.value ->> '$.version' FROM json_each(work, '$.outputs') AS planned
        WHERE planned.key = made.key), made.key) AS version
    FROM tasks, json_each(published, '$.outputs') AS made
    WHERE job_id = ? AND purpose = 'work' AND tasks.state = 'completed'
  ), listed AS (
    SELECT task_id, element_uid, version, file.key AS position, file.value AS file,
      row_number() OVER (PARTITION BY element_uid, version ORDER BY task_id, file.key) AS nr,
      count(*) OVER (PARTITION BY element_uid, version) AS file_count
    FROM made, json_each(made.files) AS file
  )
  SELECT element_uid, version, file_count, file ->> '$.uri' AS uri, file ->> '$.size' AS size,
    file -> '$.facts' AS facts
  FROM listed WHERE nr <= ${filesAVersion}
  ORDER BY min(task_id) OVER (PARTITION BY element_uid, version), element_uid, version, nr LIMIT ${filesAtMost}`;

/** What pages read of jobs at one go, on the reader thread: a job may have many thousand tasks and files. */
export const createJobViewStore = ({ reader }: Db) => ({
  elements: async (jobId: number) => {
    const rows = await reader.all<RawElement>(elementsSql, [jobId]);
    return rows.map((row) => ({ ...row, failure: row.failure === null ? null : JSON.parse(row.failure) }));
  },
  tasks: (jobId: number, skip: number, take: number): Promise<TaskViewRow[]> =>
    reader.all<TaskViewRow>(tasksSql, [jobId, take, skip]),
  taskStates: (jobId: number): Promise<{ state: TaskState; n: number }[]> =>
    reader.all("SELECT state, count(*) AS n FROM tasks WHERE job_id = ? GROUP BY state", [jobId]),
  files: (jobId: number): Promise<FileRow[]> => reader.all<FileRow>(filesSql, [jobId]),
});
