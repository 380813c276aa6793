import type { AttemptLog, AttemptWithStats, JobReads, JobReport, ReadTask } from "../job-reads.ts";
import type { AttemptRow, JobRow } from "../rows.ts";
import type { Connections } from "./connections.ts";
import { parsed } from "./json.ts";
import {
  attemptColumns,
  definitionSql,
  jobSql,
  type RawDefinition,
  type RawTask,
  readDefinition,
  readTask,
  taskColumns,
} from "./tables.ts";

type Texts = Readonly<Record<"failure" | "stats" | "node", string | null>>;
type RawAttempt = AttemptRow & Texts & { readonly machine: string | null };
type RawLog = AttemptRow & Texts & { readonly log: string | null };

/** A task without a priority of its own has its job's. */
const tasksSql = `SELECT ${taskColumns}, coalesce(tasks.priority, jobs.priority) AS priority, work
  FROM tasks JOIN jobs ON jobs.id = job_id LEFT JOIN attempts ON attempts.counter = attempt`;
const attemptsSql = `SELECT ${attemptColumns}, attempts.failure, stats,
    hello ->> '$.name' AS node, hello -> '$.machine' AS machine
  FROM tasks JOIN attempts ON task_id = tasks.id LEFT JOIN nodes ON nodes.id = node_id
  WHERE job_id = ? ORDER BY counter`;
const logsSql = `SELECT ${attemptColumns}, attempts.failure, stats, log,
    hello ->> '$.name' AS node
  FROM attempts JOIN tasks ON tasks.id = task_id LEFT JOIN nodes ON nodes.id = node_id
  WHERE task_id = ? ORDER BY counter`;

type Reports = Pick<JobReads, "row" | "definition" | "graph" | "specs" | "task" | "tasks" | "logs" | "report">;

/** Single jobs and tasks on this thread, whole jobs on the reader thread. */
export const createJobReports = ({ point, reader }: Connections): Reports => {
  const row = point.prepare<[number], JobRow>(jobSql);
  const definition = point.prepare<[number], string>("SELECT definition FROM job_definitions WHERE job_id = ?").pluck();
  const made = point.prepare<[number], RawDefinition>(definitionSql);
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
      const questions = [jobSql, definitionSql, ofJob, attemptsSql].map((sql) => ({ sql, params: [id] }));
      // Each statement gives rows of its own type.
      const [rows, texts, tasks, attempts] = (await reader.snapshot(questions)) as [
        JobRow[],
        RawDefinition[],
        (RawTask & RawWork)[],
        RawAttempt[],
      ];
      return rows[0] && reportOf(rows[0], texts[0], tasks, attempts);
    },
  };
};

type RawWork = { readonly work: string };

const reportOf = (
  row: JobRow,
  definition: RawDefinition | undefined,
  tasks: readonly (RawTask & RawWork)[],
  attempts: readonly RawAttempt[],
): JobReport => ({
  row,
  ...readDefinition(definition),
  tasks: tasks.map(taskOf),
  works: new Map(tasks.map(({ id, work }) => [id, JSON.parse(work)])),
  attempts: attempts.map(attemptOf),
});

const taskOf = ({ work: _, ...raw }: RawTask & RawWork): ReadTask => readTask(raw) as ReadTask; // the statement fills in the priority

const attemptOf = (raw: RawAttempt): AttemptWithStats => ({
  ...raw,
  failure: parsed(raw.failure),
  stats: parsed(raw.stats),
  machine: parsed(raw.machine),
});

const logOf = (raw: RawLog): AttemptLog => ({ ...raw, failure: parsed(raw.failure), stats: parsed(raw.stats) });
