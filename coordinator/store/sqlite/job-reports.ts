import type { AttemptLog, AttemptWithStats, JobReads, JobReport, ReadTask } from "../job-reads.ts";
import type { AttemptRow, JobRow } from "../rows.ts";
import type { Connections } from "./connections.ts";
import { parsed } from "./json.ts";
import { jobColumns, type RawTask, readTask } from "./tables.ts";

type Texts = Readonly<Record<"failure" | "stats" | "node", string | null>>;
type RawAttempt = AttemptRow & Texts & { readonly machine: string | null };
type RawLog = AttemptRow & Texts & { readonly log: string | null };

const jobSql = `SELECT ${jobColumns} FROM jobs WHERE id = ?`;
const madeSql = "SELECT elements, connections, warnings FROM job_definitions WHERE job_id = ?";
/** Its priority is the job's where it has none of its own. */
const tasksSql = `SELECT tasks.id, job_id, element_uid, path, uid, tasks.name, kind, purpose, tasks.state,
    coalesce(tasks.priority, jobs.priority) AS priority, tags, requires, weight, demand, retry_count, retry_delay_sec,
    retry_nr, losses, attempt, tasks.creation_time, ready_time, tasks.start_time, tasks.end_time, attempts.node_id,
    awaits, tasks.failure, intent, published, work
  FROM tasks JOIN jobs ON jobs.id = job_id LEFT JOIN attempts ON attempts.counter = attempt`;
const attemptsSql = `SELECT counter, epoch, task_id, job_id, node_id, attempts.state, assigned, ended, attempts.failure, stats,
    hello ->> '$.name' AS node, hello -> '$.machine' AS machine
  FROM tasks JOIN attempts ON task_id = tasks.id LEFT JOIN nodes ON nodes.id = node_id
  WHERE job_id = ? ORDER BY counter`;
const logsSql = `SELECT counter, epoch, task_id, job_id, node_id, attempts.state, assigned, ended, attempts.failure, stats, log,
    hello ->> '$.name' AS node
  FROM attempts JOIN tasks ON tasks.id = task_id LEFT JOIN nodes ON nodes.id = node_id
  WHERE task_id = ? ORDER BY counter`;

type Reports = Pick<JobReads, "row" | "definition" | "graph" | "specs" | "task" | "tasks" | "logs" | "report">;

/** Single jobs and tasks on this thread, whole jobs on the reader thread. */
export const createJobReports = ({ point, reader }: Connections): Reports => {
  const row = point.prepare<[number], JobRow>(jobSql);
  const definition = point.prepare<[number], string>("SELECT definition FROM job_definitions WHERE job_id = ?").pluck();
  const made = point.prepare<[number], Made>(madeSql);
  const task = point.prepare<[number], RawTask & RawWork>(`${tasksSql} WHERE tasks.id = ?`);
  const logs = point.prepare<[number], RawLog>(logsSql);
  const ofJob = `${tasksSql} WHERE job_id = ? ORDER BY tasks.id`;
  return {
    row: async (id) => row.get(id),
    definition: async (id) => definition.get(id),
    graph: async (id) => {
      const { connections = "[]", warnings = "[]" } = made.get(id) ?? {};
      return { connections: JSON.parse(connections), warnings: JSON.parse(warnings) };
    },
    specs: async (id) => JSON.parse(made.get(id)?.elements ?? "[]"),
    task: async (id) => {
      const found = task.get(id);
      return found && taskOf(found);
    },
    tasks: async (jobId) => (await reader.all<RawTask & RawWork>(ofJob, [jobId])).map(taskOf),
    logs: async (taskId) => logs.all(taskId).map(logOf),
    report: async (id) => {
      const questions = [jobSql, madeSql, ofJob, attemptsSql].map((sql) => ({ sql, params: [id] }));
      // Each statement gives rows of its own type.
      const [rows, texts, tasks, attempts] = (await reader.snapshot(questions)) as [
        JobRow[],
        Made[],
        (RawTask & RawWork)[],
        RawAttempt[],
      ];
      return rows[0] && reportOf(rows[0], texts[0], tasks, attempts);
    },
  };
};

type Made = { readonly elements: string; readonly connections: string; readonly warnings: string };
type RawWork = { readonly work: string };

const reportOf = (
  row: JobRow,
  made: Made | undefined,
  tasks: readonly (RawTask & RawWork)[],
  attempts: readonly RawAttempt[],
): JobReport => ({
  row,
  warnings: JSON.parse(made?.warnings ?? "[]"),
  elements: JSON.parse(made?.elements ?? "[]"),
  tasks: tasks.map(taskOf),
  works: new Map(tasks.map(({ id, work }) => [id, JSON.parse(work)])),
  attempts: attempts.map(attemptOf),
});

const taskOf = ({ work: _, ...raw }: RawTask & RawWork): ReadTask => readTask(raw) as ReadTask; // the statement fills in the priority

const attemptOf = (raw: RawAttempt): AttemptWithStats => ({
  ...raw,
  ...{ failure: parsed(raw.failure), stats: parsed(raw.stats), machine: parsed(raw.machine) },
});

const logOf = (raw: RawLog): AttemptLog => ({ ...raw, failure: parsed(raw.failure), stats: parsed(raw.stats) });
