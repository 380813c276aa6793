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
import { type Ask, type Database, opened } from "./connection/database.ts";
import { attemptSelect, definitionSql, jobSql, runColumns, scheduleColumns, taskSelect } from "./tables.ts";

/** Rows that decisions need and memory lacks, by key. */
export const createLoads = ({ ask, transaction }: Database): Store["load"] => ({
  job: (id) => transaction("read", (within) => loadJob(within, id)),
  row: async (table, ...key) => {
    const [sql, ...json] = keyedRows[table];
    const [row] = await ask(sql, ...key);
    return row && (readJson<RawRow>(row, ...json) as never); // a row of the same table
  },
  instances: (id, paths) =>
    transaction("read", async (within): Promise<StoredInstances> => {
      const [definition, runs, tasks] = await Promise.all([
        within(definitionSql, id),
        within(`${runsSql} AND path = ANY($2)`, id, paths),
        within(`${taskSelect} WHERE job_id = $1 AND path = ANY($2) AND path <> '' ORDER BY tasks.id`, id, paths),
      ]);
      return { runs: wholeRuns(definition[0], runs), tasks: tasks.map(readTask) };
    }),
  runsOf: (id, uid) =>
    transaction("read", async (within) => {
      const [definition, runs] = await Promise.all([
        within(definitionSql, id),
        within(`${runsSql} AND uid = $2`, id, uid),
      ]);
      return wholeRuns(definition[0], runs);
    }),
});

/** Statements of rows that are read by their keys, and which of their columns are JSON. */
const keyedRows: Readonly<Record<keyof KeyedRows, readonly [sql: string, ...json: string[]]>> = {
  jobs: [jobSql],
  definitions: [
    "SELECT definition, elements, connections, warnings FROM job_definitions WHERE job_id = $1",
    ...["elements", "connections", "warnings"],
  ],
  schedules: [`SELECT ${scheduleColumns} FROM job_schedules WHERE job_id = $1`, "tags"],
  attempts: [`${attemptSelect} WHERE counter = $1`],
  works: [`SELECT ${opened("work")} FROM tasks WHERE id = $1`, "work"],
  listings: [`SELECT ${opened("files")} FROM listings WHERE task_id = $1 AND page = $2`, "files"],
  facts: [
    "SELECT size, modified, tool, facts, found, found_by, owner_id, owner_group FROM facts WHERE uri = $1",
    "facts",
  ],
  submissions: ["SELECT mark, job_id, created FROM submissions WHERE who = $1 AND key = $2"],
};

const runsSql = `SELECT ${runColumns} FROM element_runs WHERE job_id = $1`;

/** A job with everything that belongs to no batch. */
const loadJob = async (ask: Ask, id: number): Promise<StoredJob | undefined> => {
  const [rows, definitions, schedules, runs, moves, tasks] = await Promise.all([
    ask<StoredJob["row"]>(jobSql, id),
    ask(definitionSql, id),
    ask(`SELECT ${scheduleColumns} FROM job_schedules WHERE job_id = $1`, id),
    ask(`${runsSql} AND path = ''`, id),
    ask(
      `SELECT uid, path, state, ${opened("batches")}, ${opened("failure")} FROM element_runs
       WHERE job_id = $1 AND path <> ''`,
      id,
    ),
    ask(`${taskSelect} WHERE job_id = $1 AND path = '' ORDER BY tasks.id`, id),
  ]);
  const [row] = rows;
  if (!row) return undefined;
  const definition = readDefinition(definitions[0]);
  return {
    row,
    schedule: schedules[0] ? readJson<JobSchedule>(schedules[0], "tags") : noSchedule,
    ...definition,
    runs: readRuns(definition.elements, runs),
    tasks: tasks.map(readTask),
    moves: moves.map(readMove),
  };
};

const wholeRuns = (definition: RawRow | undefined, found: readonly RawRow[]): ElementRunRow[] => {
  const specs = new Map(readDefinition(definition).elements.map((spec) => [spec.uid, spec]));
  return found.flatMap((raw) => {
    const spec = specs.get(String(raw.uid));
    return spec ? [readRun(spec, raw)] : [];
  });
};

const readMove = (raw: RawRow): InstanceMove => {
  const { failure, ...move } = readJson<Omit<InstanceMove, "message"> & { failure?: Failure }>(
    raw,
    "batches",
    "failure",
  );
  return { ...move, message: failure?.message };
};
