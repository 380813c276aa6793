import type { Failure } from "../../../shared/model/failure.ts";
import { readDefinition, readRun, readRuns, readTask } from "../columns.ts";
import { parsed, type RawRow, readJson } from "../json.ts";
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
import { together } from "./connection/together.ts";
import {
  attemptSelect,
  definitionColumns,
  definitionSql,
  jobColumns,
  jobSql,
  runColumns,
  scheduleColumns,
  taskColumns,
  taskSelect,
  taskSource,
} from "./tables.ts";

/** Rows that decisions need and memory lacks, by key. */
export const createLoads = (database: Database): Store["load"] => ({
  ...createGatheredLoads(database),
  ...createPlainLoads(database),
});

/** A coordinator that begins to lead reads thousands of jobs, and nodes that come at once are given thousands of tasks. */
const createGatheredLoads = ({ ask, transaction }: Database): Pick<Store["load"], "job" | "row"> => {
  const work = together(
    async (ids: readonly number[]) => new Map((await ask<IdAndWork>(worksSql, ids)).map((row) => [row.id, row.work])),
    (found, id) => (found.has(id) ? { work: parsed(found.get(id)) } : undefined),
  );
  return {
    job: together((ids: readonly number[]) => transaction("read", (within) => askForJobs(within, ids)), readJob),
    row: async (table, ...key) => {
      if (table === "works") return (await work(Number(key[0]))) as never; // a row of this table
      const [sql, ...json] = keyedRows[table as keyof typeof keyedRows];
      const [row] = await ask(sql, ...key);
      return row && (readJson<RawRow>(row, ...json) as never); // a row of the same table
    },
  };
};

type IdAndWork = { readonly id: number; readonly work: string | null };
const worksSql = `SELECT id, ${opened("work")} FROM tasks WHERE id = ANY($1)`;

const createPlainLoads = ({ transaction }: Database): Pick<Store["load"], "instances" | "runsOf"> => ({
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
const keyedRows: Readonly<Record<Exclude<keyof KeyedRows, "works">, readonly [sql: string, ...json: string[]]>> = {
  jobs: [jobSql],
  definitions: [
    "SELECT definition, elements, connections, warnings FROM job_definitions WHERE job_id = $1",
    ...["elements", "connections", "warnings"],
  ],
  schedules: [`SELECT ${scheduleColumns} FROM job_schedules WHERE job_id = $1`, "tags"],
  attempts: [`${attemptSelect} WHERE counter = $1`],
  listings: [`SELECT ${opened("files")} FROM listings WHERE task_id = $1 AND page = $2`, "files"],
  facts: [
    "SELECT size, modified, tool, facts, found, found_by, owner_id, owner_group FROM facts WHERE uri = $1",
    "facts",
  ],
  submissions: ["SELECT mark, job_id, created FROM submissions WHERE who = $1 AND key = $2"],
};

const runsSql = `SELECT ${runColumns} FROM element_runs WHERE job_id = $1`;

/** What belongs to some jobs, apart from their batches; `of` is the job. */
const jobsSql = {
  rows: `SELECT ${jobColumns}, id AS "of" FROM jobs WHERE id = ANY($1)`,
  definitions: `SELECT ${definitionColumns}, job_id AS "of" FROM job_definitions WHERE job_id = ANY($1)`,
  schedules: `SELECT ${scheduleColumns}, job_id AS "of" FROM job_schedules WHERE job_id = ANY($1)`,
  runs: `SELECT ${runColumns}, job_id AS "of" FROM element_runs WHERE job_id = ANY($1) AND path = ''`,
  moves: `SELECT uid, path, state, ${opened("batches")}, ${opened("failure")}, job_id AS "of" FROM element_runs
    WHERE job_id = ANY($1) AND path <> ''`,
  tasks: `SELECT ${taskColumns}, tasks.priority, tasks.job_id AS "of" ${taskSource}
    WHERE tasks.job_id = ANY($1) AND path = '' ORDER BY tasks.id`,
} as const;

type RowOfJob = RawRow & { readonly of: number };
type JobPart = keyof typeof jobsSql;
type RowsOfJobs = ReadonlyMap<string, ReadonlyMap<number, readonly RowOfJob[]>>;

const askForJobs = async (ask: Ask, ids: readonly number[]): Promise<RowsOfJobs> => {
  const found = await Promise.all(
    Object.entries(jobsSql).map(async ([part, sql]) => {
      const rows = await ask<RowOfJob>(sql, ids);
      return [part, Map.groupBy(rows, ({ of }) => of)] as const;
    }),
  );
  return new Map(found);
};

/** A job with everything that belongs to no batch. */
const readJob = (found: RowsOfJobs, id: number): StoredJob | undefined => {
  // Copies, as the rows are read in place and two may have asked for the job.
  const rowsOf = (part: JobPart): RawRow[] => (found.get(part)?.get(id) ?? []).map(({ of: _, ...row }) => row);
  const [row] = rowsOf("rows") as StoredJob["row"][]; // the columns of one
  if (!row) return undefined;
  const [schedule] = rowsOf("schedules");
  const definition = readDefinition(rowsOf("definitions")[0]);
  return {
    row,
    schedule: schedule ? readJson<JobSchedule>(schedule, "tags") : noSchedule,
    ...definition,
    runs: readRuns(definition.elements, rowsOf("runs")),
    tasks: rowsOf("tasks").map(readTask),
    moves: rowsOf("moves").map(readMove),
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
