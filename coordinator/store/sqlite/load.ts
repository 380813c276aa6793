import type { Failure } from "../../../shared/model/failure.ts";
import { readDefinition, readRun, readRuns, readTask } from "../columns.ts";
import { type RawRow, readJson } from "../json.ts";
import {
  type ElementRunRow,
  type InstanceMove,
  type JobSchedule,
  noSchedule,
  type StoredInstances,
  type StoredJob,
} from "../rows.ts";
import type { KeyedRows, Store } from "../store.ts";
import type { Connections } from "./connections.ts";
import { attemptSelect, definitionSql, jobSql, runColumns, scheduleColumns, taskSelect } from "./tables.ts";

/** Rows that decisions need and memory lacks, by key. */
export const createLoads = ({ point }: Connections): Store["load"] => ({
  job: createJobLoad(point),
  row: createRowLoad(point),
  ...createInstanceLoads(point),
});

/** Statements of rows that are read by their keys, and which of their columns are JSON. */
const keyedRows: Readonly<Record<keyof KeyedRows, readonly [sql: string, ...json: string[]]>> = {
  jobs: [jobSql],
  definitions: [
    "SELECT definition, elements, connections, warnings FROM job_definitions WHERE job_id = ?",
    ...["elements", "connections", "warnings"],
  ],
  schedules: [`SELECT ${scheduleColumns} FROM job_schedules WHERE job_id = ?`, "tags"],
  attempts: [`${attemptSelect} WHERE counter = ?`],
  works: ["SELECT opened(work) AS work FROM tasks WHERE id = ?", "work"],
  listings: ["SELECT opened(files) AS files FROM listings WHERE task_id = ? AND page = ?", "files"],
  facts: [
    "SELECT size, modified, tool, facts, found, found_by, owner_id, owner_group FROM facts WHERE uri = ?",
    "facts",
  ],
  submissions: ["SELECT mark, job_id, created FROM submissions WHERE who = ? AND key = ?"],
};

const createRowLoad = (point: Connections["point"]): Store["load"]["row"] => {
  const statements = new Map(
    Object.entries(keyedRows).map(([table, [sql]]) => [table, point.prepare<unknown[], RawRow>(sql)]),
  );
  return async (table, ...key) => {
    const row = statements.get(table)?.get(...key);
    const [, ...json] = keyedRows[table];
    return row && (readJson<RawRow>(row, ...json) as never); // a row of the same table
  };
};

/** A job with everything that belongs to no batch. */
const createJobLoad = (point: Connections["point"]) => {
  const row = point.prepare<[number], StoredJob["row"]>(jobSql);
  const made = point.prepare<[number], RawRow>(definitionSql);
  const schedule = point.prepare<[number], RawRow>(`SELECT ${scheduleColumns} FROM job_schedules WHERE job_id = ?`);
  const runs = point.prepare<[number], RawRow>(`SELECT ${runColumns} FROM element_runs WHERE job_id = ? AND path = ''`);
  const moves = point.prepare<[number], RawRow>(
    "SELECT uid, path, state, opened(batches) AS batches, opened(failure) AS failure FROM element_runs WHERE job_id = ? AND path <> ''",
  );
  const tasks = point.prepare<[number], RawRow>(`${taskSelect} WHERE job_id = ? AND path = '' ORDER BY tasks.id`);
  return async (id: number): Promise<StoredJob | undefined> => {
    const found = row.get(id);
    if (!found) return undefined;
    const definition = readDefinition(made.get(id));
    const held = schedule.get(id);
    return {
      row: found,
      schedule: held ? readJson<JobSchedule>(held, "tags") : noSchedule,
      ...definition,
      runs: readRuns(definition.elements, runs.all(id)),
      tasks: tasks.all(id).map(readTask),
      moves: moves.all(id).map(readMove),
    };
  };
};

const createInstanceLoads = (point: Connections["point"]) => {
  const made = point.prepare<[number], RawRow>(definitionSql);
  const runsSql = `SELECT ${runColumns} FROM element_runs WHERE job_id = ?`;
  const runsAt = point.prepare<[number, string], RawRow>(`${runsSql} AND path IN (SELECT value FROM json_each(?))`);
  const runsOf = point.prepare<[number, string], RawRow>(`${runsSql} AND uid = ?`);
  const tasksAt = point.prepare<[number, string], RawRow>(
    `${taskSelect} WHERE job_id = ? AND path IN (SELECT value FROM json_each(?)) AND path <> '' ORDER BY tasks.id`,
  );
  const whole = (id: number, found: readonly RawRow[]): ElementRunRow[] => {
    const specs = new Map(readDefinition(made.get(id)).elements.map((spec) => [spec.uid, spec]));
    return found.flatMap((raw) => {
      const spec = specs.get(String(raw.uid));
      return spec ? [readRun(spec, raw)] : [];
    });
  };
  return {
    instances: async (id: number, paths: readonly string[]): Promise<StoredInstances> => {
      const at = JSON.stringify(paths);
      return { runs: whole(id, runsAt.all(id, at)), tasks: tasksAt.all(id, at).map(readTask) };
    },
    runsOf: async (id: number, uid: string) => whole(id, runsOf.all(id, uid)),
  };
};

const readMove = (raw: RawRow): InstanceMove => {
  const { failure, ...move } = readJson<Omit<InstanceMove, "message"> & { failure?: Failure }>(
    raw,
    "batches",
    "failure",
  );
  return { ...move, message: failure?.message };
};
