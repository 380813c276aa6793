import { readDefinition, readTask } from "../../columns.ts";
import type { AttemptLog, AttemptWithStats, JobReads, JobReport, ReadTask } from "../../job-reads.ts";
import { parsed, type RawRow, readJson } from "../../json.ts";
import type { JobRow, NodeProfile } from "../../rows.ts";
import type { Connections } from "../connections.ts";
import { attemptColumns, definitionSql, jobSql, taskColumns } from "../tables.ts";

type RawNode = { readonly id: number; readonly hello: string };
type RawTask = RawRow & { readonly id: number; readonly work: string };
type RawAttempt = RawRow & { readonly node_id: number };

/** A task without a priority of its own has its job's. */
const tasksSql = `SELECT ${taskColumns}, coalesce(tasks.priority, jobs.priority) AS priority, opened(work) AS work
  FROM tasks JOIN jobs ON jobs.id = job_id LEFT JOIN attempts ON attempts.counter = attempt`;
const attemptsSql = `SELECT ${attemptColumns}, opened(attempts.failure) AS failure, stats
  FROM tasks JOIN attempts ON task_id = tasks.id WHERE job_id = ? ORDER BY counter`;
const nodesSql = `SELECT id, hello FROM nodes WHERE id IN
  (SELECT node_id FROM tasks JOIN attempts ON task_id = tasks.id WHERE job_id = ?)`;
const logsSql = `SELECT ${attemptColumns}, opened(attempts.failure) AS failure, stats, opened(log) AS log, hello
  FROM attempts JOIN tasks ON tasks.id = task_id LEFT JOIN nodes ON nodes.id = node_id
  WHERE task_id = ? ORDER BY counter`;

type Reports = Pick<JobReads, "task" | "logs" | "report">;

/** Single tasks on this thread, logs and whole jobs on the reader thread: they may be megabytes. */
export const createJobReports = ({ point, reader }: Connections): Reports => {
  const task = point.prepare<[number], RawTask>(`${tasksSql} WHERE tasks.id = ?`);
  const ofJob = `${tasksSql} WHERE job_id = ? ORDER BY tasks.id`;
  return {
    task: async (id) => {
      const found = task.get(id);
      return found && taskOf(found);
    },
    logs: async (taskId) => (await reader.all<RawRow>(logsSql, [taskId])).map(logOf),
    report: async (id) => {
      const questions = [jobSql, definitionSql, ofJob, attemptsSql, nodesSql].map((sql) => ({ sql, params: [id] }));
      // Each statement gives rows of its own type.
      const [rows, texts, tasks, attempts, nodes] = (await reader.snapshot(questions)) as [
        JobRow[],
        RawRow[],
        RawTask[],
        RawAttempt[],
        RawNode[],
      ];
      return rows[0] && reportOf(rows[0], texts[0], tasks, attemptsOf(attempts, nodes));
    },
  };
};

const reportOf = (
  row: JobRow,
  definition: RawRow | undefined,
  tasks: readonly RawTask[],
  attempts: readonly AttemptWithStats[],
): JobReport => ({
  row,
  ...readDefinition(definition),
  tasks: tasks.map(taskOf),
  works: new Map(tasks.map(({ id, work }) => [id, JSON.parse(work)])),
  attempts,
});

const taskOf = ({ work: _, ...raw }: RawTask): ReadTask => readTask(raw) as ReadTask; // the statement fills in the priority

const attemptsOf = (attempts: readonly RawAttempt[], nodes: readonly RawNode[]): AttemptWithStats[] => {
  const profiles = new Map(nodes.map(({ id, hello }): [number, NodeProfile] => [id, JSON.parse(hello)]));
  return attempts.map((raw) => {
    const { name = null, machine } = profiles.get(raw.node_id) ?? {};
    return { ...readJson<AttemptWithStats>(raw, "failure", "stats"), node: name, machine };
  });
};

const logOf = ({ hello, ...raw }: RawRow): AttemptLog => ({
  ...readJson<AttemptLog>(raw, "failure", "stats"),
  node: parsed<NodeProfile>(hello)?.name ?? null,
});
