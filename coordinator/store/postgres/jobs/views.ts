import type { JobReads, OutputRow, TaskPage, TaskViewRow } from "../../job-reads.ts";
import {
  collectFindings,
  collectOutputs,
  collectVersions,
  nodeNameIn,
  outlineOf,
  outputsIn,
  type RawBatches,
  type RawFinding,
  type RawOutline,
  type RawPublished,
  type RawRunCount,
  type RawTaskView,
  taskViewOf,
} from "../../shapes.ts";
import { type Ask, type Database, opened } from "../connection/database.ts";
import { shownStateSql } from "../tables.ts";
import { rowsInPages } from "./pages.ts";

type JobViews = Pick<JobReads, "outline" | "tasks" | "files" | "findings" | "outputs">;

/** Sections of a transcode are work, though they are planned as a stage; their files are no outputs. */
export const purposeSql = "CASE purpose WHEN 'stage' THEN 'work' ELSE purpose END";

/** The pages' reads of one job. */
export const createJobViews = ({ transaction }: Database): JobViews => ({
  outline: (id) =>
    transaction("read", async (ask) => {
      const [rows, batches, counts] = await Promise.all([
        ask<RawOutline>("SELECT elements, connections, warnings FROM job_definitions WHERE job_id = $1", id),
        ask<RawBatches>(batchesSql, id),
        ask<RawRunCount>(runCountsSql, id),
      ]);
      return outlineOf(rows[0], batches, counts);
    }),
  tasks: (id, page) => transaction("read", (ask) => readTasks(ask, id, page)),
  files: (id) =>
    transaction("read", async (ask) => {
      const versions = collectVersions();
      await eachOutput(ask, id, versions.add);
      return versions.all();
    }),
  outputs: (id, skip, take) =>
    transaction("read", async (ask) => {
      const page = collectOutputs(skip, take);
      await eachOutput(ask, id, page.add);
      return page.all();
    }),
  findings: (id, atMost) =>
    transaction("read", async (ask) => {
      const findings = collectFindings(atMost);
      const rows = rowsInPages<RawFinding>(ask, findingsSql, "task_id", [id]);
      for await (const row of rows) if (!findings.add(row)) break;
      return findings.all();
    }),
});

const everyTask: TaskPage = { skip: 0, take: -1 };

const readTasks = async (ask: Ask, id: number, { skip, take, element, states }: TaskPage = everyTask) => {
  const most = take < 0 ? Number.POSITIVE_INFINITY : take;
  const params = [id, element ?? null, states ?? null];
  const tasks: TaskViewRow[] = [];
  for await (const row of rowsInPages<RawTaskView>(ask, tasksSql, "tasks.id", params, { skip, most }))
    tasks.push(taskViewOf(row, () => null));
  const ids = [...new Set(tasks.flatMap(({ node_id }) => node_id ?? []))];
  const nodes = await ask<{ id: number; hello: string }>("SELECT id, hello FROM nodes WHERE id = ANY($1)", ids);
  const names = new Map(nodes.map(({ id: node, hello }) => [node, nodeNameIn(hello)]));
  return tasks.map((task) => ({ ...task, node: task.node_id === null ? null : (names.get(task.node_id) ?? null) }));
};

const eachOutput = async (ask: Ask, id: number, take: (row: OutputRow) => void): Promise<void> => {
  for await (const row of rowsInPages<RawPublished>(ask, filesSql, "task_id", [id]))
    for (const output of outputsIn(row)) take(output);
};

const runCountsSql = `SELECT uid, state, count(*) AS n, count(batches) AS found,
    ${opened("min(failure::text)", "failure")}, max(CASE WHEN path <> '' THEN 1 ELSE 0 END) AS "isNumbered"
  FROM element_runs WHERE job_id = $1 GROUP BY uid, state`;
const batchesSql = `SELECT uid, state, ${opened("batches")} FROM element_runs
  WHERE job_id = $1 AND batches IS NOT NULL`;

const tasksSql = `SELECT tasks.id, tasks.job_id, element_uid, path, uid, tasks.name, kind, ${purposeSql} AS purpose,
    tasks.state, coalesce(tasks.priority, jobs.priority) AS priority, retry_count, retry_delay_sec, retry_nr, losses,
    attempt, tasks.creation_time, ready_time, tasks.start_time, tasks.end_time, attempts.node_id,
    ${opened("tasks.failure", "failure")}, ${opened("published")}
  FROM tasks JOIN jobs ON jobs.id = job_id LEFT JOIN attempts ON attempts.counter = attempt
  WHERE job_id = $1 AND ($2::text IS NULL OR element_uid = $2) AND ($3::text[] IS NULL OR ${shownStateSql} = ANY($3))`;

// A report is written before the verdict that may fail its element, by a task that only prepares.
const filesSql = `SELECT * FROM (
    SELECT id AS task_id, element_uid, ${opened("work")}, ${opened("published")} FROM tasks
    WHERE job_id = $1 AND state = 'completed' AND purpose <> 'stage' AND published IS NOT NULL
  ) AS found WHERE true`;

const findingsSql = `SELECT * FROM (
    SELECT element_uid, id AS task_id, name, ${opened("published")} FROM tasks
    WHERE job_id = $1 AND purpose = 'work' AND state IN ('completed', 'failed') AND published IS NOT NULL
  ) AS found WHERE true`;
