import type { FileRow, FindingRow, JobReads, OutputRow, RunCount, TaskViewRow } from "../job-reads.ts";
import type { Connections } from "./connections.ts";

/** Files of one version that a page lists, and of all versions together. */
const filesAVersion = 200;
const filesAtMost = 5000;

const elementsSql = `SELECT value ->> '$.uid' AS uid, value ->> '$.kind' AS kind, value ->> '$.name' AS name
  FROM job_definitions, json_each(elements) WHERE job_id = ? ORDER BY key`;

/** `below`, for an enumeration: how often its followers run. */
const runCountsSql = `SELECT uid, state, count(*) AS n, min(failure) AS failure, max(path <> '') AS isNumbered,
    sum(CASE WHEN batches IS NULL THEN state IN ('succeeded', 'failed', 'skipped')
      ELSE (batches ->> '$.files' + batches ->> '$.size' - 1) / (batches ->> '$.size') END) AS below
  FROM element_runs WHERE job_id = ? GROUP BY uid, state`;

type RawCount = Omit<RunCount, "failure"> & { readonly failure: string | null };

/** Sections of a transcode are work, though they are planned as a stage; their files are no outputs. */
export const purposeSql = "CASE weight WHEN 'full' THEN 'work' ELSE purpose END";
const isNoPart = "(purpose = 'work' OR weight <> 'full')";

const tasksSql = `SELECT tasks.id, tasks.job_id, element_uid, path, uid, tasks.name, kind, ${purposeSql} AS purpose,
    tasks.state,
    coalesce(tasks.priority, jobs.priority) AS priority, retry_count, retry_delay_sec, retry_nr, losses, attempt,
    tasks.creation_time, ready_time, tasks.start_time, tasks.end_time, attempts.node_id,
    tasks.failure ->> '$.cause' AS cause, tasks.failure ->> '$.message' AS message, hello ->> '$.name' AS node,
    published -> '$.weaker' AS weaker
  FROM tasks JOIN jobs ON jobs.id = job_id
    LEFT JOIN attempts ON attempts.counter = attempt
    LEFT JOIN nodes ON nodes.id = attempts.node_id
  WHERE job_id = ? AND (? IS NULL OR element_uid = ?) AND (? IS NULL OR tasks.state IN (SELECT value FROM json_each(?)))
  ORDER BY tasks.id LIMIT ? OFFSET ?`;

const filesSql = `WITH made AS MATERIALIZED (
    SELECT tasks.id AS task_id, element_uid, made.value AS files,
      coalesce((SELECT planned.value ->> '$.version' FROM json_each(work, '$.outputs') AS planned
        WHERE planned.key = made.key), made.key) AS version
    FROM tasks, json_each(published, '$.outputs') AS made
    WHERE job_id = ? AND tasks.state = 'completed' AND ${isNoPart}
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

// A report is written before the verdict that may fail its element, by a task that only prepares.
const made = `FROM tasks, json_each(published, '$.outputs') AS made, json_each(made.value) AS file
  WHERE job_id = ? AND tasks.state = 'completed' AND ${isNoPart}`;

const outputsSql = `SELECT element_uid, tasks.id AS task_id,
    row_number() OVER (PARTITION BY tasks.id ORDER BY made.id, file.id) - 1 AS position,
    coalesce((SELECT planned.value ->> '$.version' FROM json_each(work, '$.outputs') AS planned
      WHERE planned.key = made.key), made.key) AS version,
    file.value AS file
  ${made} ORDER BY tasks.id, position LIMIT ? OFFSET ?`;

const findingsSql = `SELECT element_uid, task_id, name, results FROM (
    SELECT element_uid, id AS task_id, name, published -> '$.results' AS results,
      sum(length(published -> '$.results')) OVER (ORDER BY id) AS characters
    FROM tasks
    WHERE job_id = ? AND purpose = 'work' AND state IN ('completed', 'failed')
      AND json_type(published, '$.results') = 'object'
  ) WHERE characters <= ? ORDER BY task_id LIMIT 500`;

type JobViews = Pick<
  JobReads,
  "elements" | "runCounts" | "taskViews" | "fileViews" | "findings" | "outputs" | "countOutputs"
>;

/** The pages' reads of one job, on the reader thread: it may have many thousand tasks and files. */
export const createJobViews = ({ reader }: Connections): JobViews => ({
  elements: (id) => reader.all(elementsSql, [id]),
  runCounts: async (id) => {
    const rows = await reader.all<RawCount>(runCountsSql, [id]);
    return rows.map((row) => ({ ...row, failure: row.failure === null ? null : JSON.parse(row.failure) }));
  },
  taskViews: (id, { skip, take, element = null, states }) => {
    const wanted = states ? JSON.stringify(states) : null;
    return reader.all<TaskViewRow>(tasksSql, [id, element, element, wanted, wanted, take, skip]);
  },
  fileViews: (id) => reader.all<FileRow>(filesSql, [id]),
  findings: (id, atMost) => reader.all<FindingRow>(findingsSql, [id, atMost]),
  outputs: (id, skip, take) => reader.all<OutputRow>(outputsSql, [id, take, skip]),
  countOutputs: (id) => reader.count(made, [id]),
});
