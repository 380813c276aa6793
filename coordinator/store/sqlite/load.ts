import {
  type AttemptRow,
  type ElementRunRow,
  type InstanceMove,
  type JobRow,
  noSchedule,
  type StoredJob,
  type SubmissionRow,
} from "../rows.ts";
import type { Store } from "../store.ts";
import type { Connections } from "./connections.ts";
import { parsed } from "./json.ts";
import {
  attemptSelect,
  definitionSql,
  jobSql,
  type RawDefinition,
  type RawFacts,
  type RawRun,
  type RawSchedule,
  type RawTask,
  readDefinition,
  readFacts,
  readRun,
  readRuns,
  readSchedule,
  readTask,
  runColumns,
  taskSelect,
} from "./tables.ts";

/** Rows that decisions need and memory lacks, by key. */
export const createLoads = ({ point }: Connections): Store["load"] => {
  const row = point.prepare<[number], JobRow>(jobSql);
  const made = point.prepare<[number], RawDefinition>(definitionSql);
  const schedule = point.prepare<[number], RawSchedule>(
    "SELECT paused, start_after, task_tags FROM job_schedules WHERE job_id = ?",
  );
  const runs = point.prepare<[number], RawRun>(`SELECT ${runColumns} FROM element_runs WHERE job_id = ? AND path = ''`);
  const moves = point.prepare<[number], RawMove>(
    `SELECT uid, path, state, batches, failure ->> '$.message' AS message FROM element_runs
     WHERE job_id = ? AND path <> ''`,
  );
  const runsAt = point.prepare<[number, string], RawRun>(
    `SELECT ${runColumns} FROM element_runs
     WHERE job_id = ? AND path IN (SELECT value FROM json_each(?))`,
  );
  const runsOf = point.prepare<[number, string], RawRun>(
    `SELECT ${runColumns} FROM element_runs WHERE job_id = ? AND uid = ?`,
  );
  const tasks = point.prepare<[number], RawTask>(`${taskSelect} WHERE job_id = ? AND path = '' ORDER BY tasks.id`);
  const tasksAt = point.prepare<[number, string], RawTask>(
    `${taskSelect} WHERE job_id = ? AND path IN (SELECT value FROM json_each(?)) AND path <> '' ORDER BY tasks.id`,
  );
  const listing = point
    .prepare<[number, number], string>("SELECT files FROM listings WHERE task_id = ? AND page = ?")
    .pluck();
  const attempt = point.prepare<[number], AttemptRow>(`${attemptSelect} WHERE counter = ?`);
  const work = point.prepare<[number], string>("SELECT work FROM tasks WHERE id = ?").pluck();
  const facts = point.prepare<[string], RawFacts>("SELECT size, modified, tool, facts, found FROM facts WHERE uri = ?");
  const submission = point.prepare<[string, string], SubmissionRow>(
    "SELECT mark, job_id, created FROM submissions WHERE who = ? AND key = ?",
  );

  const jobOf = (id: number): StoredJob | undefined => {
    const found = row.get(id);
    if (!found) return undefined;
    const definition = readDefinition(made.get(id));
    const held = schedule.get(id);
    return {
      row: found,
      schedule: held ? readSchedule(held) : noSchedule,
      ...definition,
      runs: readRuns(definition.elements, runs.all(id)),
      tasks: tasks.all(id).map(readTask),
      moves: moves.all(id).map(readMove),
    };
  };
  const wholeRuns = (id: number, found: readonly RawRun[]): ElementRunRow[] => {
    const specs = new Map(readDefinition(made.get(id)).elements.map((spec) => [spec.uid, spec]));
    return found.flatMap((raw) => {
      const spec = specs.get(raw.uid);
      return spec ? [readRun(spec, raw)] : [];
    });
  };

  return {
    job: async (id) => jobOf(id),
    row: async (id) => row.get(id),
    instances: async (id, paths) => {
      const at = JSON.stringify(paths);
      return { runs: wholeRuns(id, runsAt.all(id, at)), tasks: tasksAt.all(id, at).map(readTask) };
    },
    runsOf: async (id, uid) => wholeRuns(id, runsOf.all(id, uid)),
    listing: async (taskId, page) => {
      const files = listing.get(taskId, page);
      return files === undefined ? undefined : { files: JSON.parse(files) };
    },
    attempt: async (counter) => attempt.get(counter),
    work: async (taskId) => parsed(work.get(taskId)),
    facts: async (uri) => {
      const found = facts.get(uri);
      return found && readFacts(found);
    },
    submission: async ({ who, key }) => submission.get(who, key),
  };
};

type RawMove = Pick<InstanceMove, "uid" | "path" | "state"> & Readonly<Record<"batches" | "message", string | null>>;

const readMove = ({ batches, message, ...move }: RawMove): InstanceMove => ({
  ...move,
  batches: parsed(batches),
  message: message ?? undefined,
});
