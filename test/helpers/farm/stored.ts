import { join } from "node:path";
import Database from "better-sqlite3";
import { createCipher, readSealingKey } from "../../../coordinator/store/cipher.ts";
import {
  type RawNode,
  readDefinition,
  readNode,
  readRun,
  readRuns,
  readTask,
} from "../../../coordinator/store/columns.ts";
import type { ReadTask } from "../../../coordinator/store/job-reads.ts";
import type { RawRow } from "../../../coordinator/store/json.ts";
import type {
  AttemptRow,
  DefinitionRow,
  ElementRunRow,
  JobRow,
  NodeRow,
  TaskRow,
} from "../../../coordinator/store/rows.ts";
import { openSecrets } from "../../../coordinator/store/sqlite/open-secrets.ts";
import {
  attemptSelect,
  definitionSql,
  jobColumns,
  nodeSelect,
  runColumns,
  taskSelect,
} from "../../../coordinator/store/sqlite/tables.ts";
import type { ElementSpec } from "../../../shared/model/job.ts";
import type { Work } from "../../../shared/work/work.ts";

/** What lies on the disk of a farm, at this moment: tests look at it and break it. */
export const stored = ({ config }: { readonly config: { readonly dataDir: string } }) => {
  const file = join(config.dataDir, "farm.db");
  const withDatabase = <T>(use: (db: Database.Database) => T): T => {
    const db = new Database(file);
    openSecrets(db, createCipher(readSealingKey(config.dataDir)));
    try {
      return use(db);
    } finally {
      db.close();
    }
  };
  const all = <Row>(sql: string, ...params: unknown[]): Row[] =>
    withDatabase((db) => db.prepare<unknown[], Row>(sql).all(...params));
  const one = <Row>(sql: string, ...params: unknown[]): Row | undefined => all<Row>(sql, ...params)[0];
  const tasksWhere = (condition: string, id: number): TaskRow[] =>
    all<RawRow>(`${taskSelect} WHERE ${condition} ORDER BY tasks.id`, id).map((raw) => readTask(raw));
  const withPriority = (task: TaskRow): ReadTask => ({
    ...task,
    priority: task.priority ?? one<JobRow>("SELECT priority FROM jobs WHERE id = ?", task.job_id)?.priority ?? 0,
  });
  const made = (id: number) => readDefinition(one<RawRow>(definitionSql, id));

  return {
    all,
    exec: (sql: string): void => {
      withDatabase((db) => db.exec(sql));
    },
    job: (id: number): JobRow | undefined => one(`SELECT ${jobColumns} FROM jobs WHERE id = ?`, id),
    jobIds: (): number[] => all<{ id: number }>("SELECT id FROM jobs ORDER BY id").map(({ id }) => id),
    definition: (id: number): string | undefined =>
      one<{ definition: string }>("SELECT definition FROM job_definitions WHERE job_id = ?", id)?.definition,
    graph: (id: number): Pick<DefinitionRow, "connections" | "warnings"> => made(id),
    /** Those that belong to no batch, in the order of the definition. */
    runs: (id: number): ElementRunRow[] =>
      readRuns(
        made(id).elements,
        all<RawRow>(`SELECT ${runColumns} FROM element_runs WHERE job_id = ? AND path = ''`, id),
      ),
    /** Of batches, as far as they were begun. */
    instances: (id: number): ElementRunRow[] => {
      const specs = new Map(made(id).elements.map((spec) => [spec.uid, spec]));
      const raws = all<RawRow>(`SELECT ${runColumns} FROM element_runs WHERE job_id = ? AND path <> ''`, id);
      return raws.map((raw) => readRun(specs.get(String(raw.uid)) as ElementSpec, raw)); // only elements of the job run
    },
    task: (id: number): ReadTask | undefined => tasksWhere("tasks.id = ?", id).map(withPriority)[0],
    tasks: (jobId: number): ReadTask[] => tasksWhere("job_id = ?", jobId).map(withPriority),
    /** As memory has them. */
    rows: (jobId: number): TaskRow[] => tasksWhere("job_id = ?", jobId),
    work: (taskId: number): Work | undefined => {
      const row = one<{ work: string }>("SELECT opened(work) AS work FROM tasks WHERE id = ?", taskId);
      return row && JSON.parse(row.work);
    },
    attempts: (counters: readonly number[]): AttemptRow[] =>
      all(`${attemptSelect} WHERE counter IN (${counters.join(", ")}) ORDER BY counter`),
    openAttempts: (): AttemptRow[] => all(`${attemptSelect} WHERE ended IS NULL`),
    node: (id: number): NodeRow | undefined => all<RawNode>(`${nodeSelect} WHERE id = ?`, id).map(readNode)[0],
  };
};
