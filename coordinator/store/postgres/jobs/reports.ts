import type { Work } from "../../../../shared/work/work.ts";
import { readDefinition, readTask } from "../../columns.ts";
import type { AttemptLog, AttemptWithStats, JobReads, JobReport, ReadTask } from "../../job-reads.ts";
import { parsed, type RawRow, readJson } from "../../json.ts";
import type { JobRow, NodeProfile } from "../../rows.ts";
import { type Ask, type Database, opened } from "../connection/database.ts";
import { attemptColumns, definitionSql, jobSql, taskColumns } from "../tables.ts";
import { rowsInPages } from "./pages.ts";

type RawTask = RawRow & { readonly id: number; readonly work: string };
type RawAttempt = RawRow & { readonly node_id: number };

/** A task without a priority of its own has its job's. */
const tasksSql = `SELECT ${taskColumns}, coalesce(tasks.priority, jobs.priority) AS priority, ${opened("work")}
  FROM tasks JOIN jobs ON jobs.id = job_id LEFT JOIN attempts ON attempts.counter = attempt`;
const attemptsSql = `SELECT ${attemptColumns}, ${opened("attempts.failure", "failure")}, stats
  FROM tasks JOIN attempts ON task_id = tasks.id WHERE job_id = $1`;
const nodesSql = `SELECT id, hello FROM nodes WHERE id IN
  (SELECT node_id FROM tasks JOIN attempts ON task_id = tasks.id WHERE job_id = $1)`;
const logsSql = `SELECT ${attemptColumns}, ${opened("attempts.failure", "failure")}, stats, ${opened("log")}, hello
  FROM attempts JOIN tasks ON tasks.id = task_id LEFT JOIN nodes ON nodes.id = node_id
  WHERE task_id = $1 ORDER BY counter`;

type Reports = Pick<JobReads, "task" | "logs" | "report">;

export const createJobReports = (reads: Database): Reports => ({
  task: async (id) => {
    const [found] = await reads.ask<RawTask>(`${tasksSql} WHERE tasks.id = $1`, id);
    return found && taskOf(found);
  },
  logs: async (taskId) => (await reads.ask(logsSql, taskId)).map(logOf),
  report: (id) => reads.transaction("read", (ask) => reportOf(ask, id)),
});

const reportOf = async (ask: Ask, id: number): Promise<JobReport | undefined> => {
  const [rows, definitions, nodes] = await Promise.all([
    ask<JobRow>(jobSql, id),
    ask(definitionSql, id),
    ask<{ id: number; hello: string }>(nodesSql, id),
  ]);
  const [row] = rows;
  if (!row) return undefined;
  const tasks: ReadTask[] = [];
  const works = new Map<number, Work>();
  for await (const raw of rowsInPages<RawTask>(ask, `${tasksSql} WHERE job_id = $1`, "tasks.id", [id])) {
    works.set(raw.id, JSON.parse(raw.work));
    tasks.push(taskOf(raw));
  }
  const profiles = new Map(nodes.map(({ id: node, hello }): [number, NodeProfile] => [node, JSON.parse(hello)]));
  const attempts: AttemptWithStats[] = [];
  for await (const raw of rowsInPages<RawAttempt>(ask, attemptsSql, "counter", [id]))
    attempts.push(attemptOf(raw, profiles));
  return { row, ...readDefinition(definitions[0]), tasks, works, attempts };
};

const taskOf = ({ work: _, ...raw }: RawTask): ReadTask => readTask(raw) as ReadTask; // the statement fills in the priority

const attemptOf = (raw: RawAttempt, profiles: ReadonlyMap<number, NodeProfile>): AttemptWithStats => {
  const { name = null, machine } = profiles.get(raw.node_id) ?? {};
  return { ...readJson<AttemptWithStats>(raw, "failure", "stats"), node: name, machine };
};

const logOf = ({ hello, ...raw }: RawRow): AttemptLog => ({
  ...readJson<AttemptLog>(raw, "failure", "stats"),
  node: parsed<NodeProfile>(hello)?.name ?? null,
});
