import type { Work } from "../../../../shared/work/work.ts";
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
    logs: (taskId) => reader.read(logsSql, [taskId], logOf),
    report: async (id) => {
      const params = [id];
      const questions = [
        ...[{ sql: nodesSql, params, read: nodeOf }, ...[jobSql, definitionSql].map((sql) => ({ sql, params }))],
        ...[
          { sql: ofJob, params, read: taskAndWork },
          { sql: attemptsSql, params, read: attemptOf },
        ],
      ];
      // Each statement gives rows of its own type.
      const [nodes, rows, texts, tasks, attempts] = (await reader.snapshot(questions)) as [
        [number, NodeProfile][],
        JobRow[],
        RawRow[],
        ReturnType<typeof taskAndWork>[],
        ReturnType<typeof attemptOf>[],
      ];
      return rows[0] && reportOf(rows[0], texts[0], tasks, attemptsOn(attempts, new Map(nodes)));
    },
  };
};

const reportOf = (
  row: JobRow,
  definition: RawRow | undefined,
  tasks: readonly ReturnType<typeof taskAndWork>[],
  attempts: readonly AttemptWithStats[],
): JobReport => ({
  row,
  ...readDefinition(definition),
  tasks: tasks.map(({ task }) => task),
  works: new Map(tasks.map(({ task, work }) => [task.id, work])),
  attempts,
});

const taskOf = ({ work: _, ...raw }: RawTask): ReadTask => readTask(raw) as ReadTask; // the statement fills in the priority
const taskAndWork = (raw: RawTask) => ({ task: taskOf(raw), work: JSON.parse(raw.work) as Work }); // as it was stored

const nodeOf = ({ id, hello }: RawNode): [number, NodeProfile] => [id, JSON.parse(hello)];
const attemptOf = (raw: RawAttempt): AttemptRead => readJson<AttemptRead>(raw, "failure", "stats");

type AttemptRead = Omit<AttemptWithStats, "node" | "machine">;
const attemptsOn = (attempts: readonly AttemptRead[], profiles: ReadonlyMap<number, NodeProfile>): AttemptWithStats[] =>
  attempts.map((attempt) => {
    const { name = null, machine } = profiles.get(attempt.node_id) ?? {};
    return { ...attempt, node: name, machine };
  });

const logOf = ({ hello, ...raw }: RawRow): AttemptLog => ({
  ...readJson<AttemptLog>(raw, "failure", "stats"),
  node: parsed<NodeProfile>(hello)?.name ?? null,
});
