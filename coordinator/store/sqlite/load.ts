import type { Path } from "../../../shared/instances/path.ts";
import type { ElementSpec } from "../../../shared/job.ts";
import type { Work } from "../../../shared/work.ts";
import type {
  AttemptRow,
  ElementRunRow,
  FactsRow,
  InstanceMove,
  JobRow,
  ListingRow,
  StoredInstances,
  StoredJob,
  SubmissionName,
  SubmissionRow,
} from "../rows.ts";
import { noSchedule } from "../rows.ts";
import type { Connections } from "./connections.ts";
import { parsed } from "./json.ts";
import {
  attemptSelect,
  jobColumns,
  type RawFacts,
  type RawRun,
  type RawSchedule,
  type RawTask,
  readFacts,
  readRun,
  readRuns,
  readSchedule,
  readTask,
  runColumns,
  taskSelect,
} from "./tables.ts";

/** Rows that decisions need and memory lacks, by key. */
export const createLoads = ({ point }: Connections) => {
  const row = point.prepare<[number], JobRow>(`SELECT ${jobColumns} FROM jobs WHERE id = ?`);
  const made = point.prepare<[number], { elements: string; connections: string; warnings: string }>(
    "SELECT elements, connections, warnings FROM job_definitions WHERE job_id = ?",
  );
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
  const listing = point.prepare<[number, number], { files: string }>(
    "SELECT files FROM listings WHERE task_id = ? AND page = ?",
  );
  const attempt = point.prepare<[number], AttemptRow>(`${attemptSelect} WHERE counter = ?`);
  const work = point.prepare<[number], { work: string }>("SELECT work FROM tasks WHERE id = ?");
  const facts = point.prepare<[string], RawFacts>("SELECT size, modified, tool, facts, found FROM facts WHERE uri = ?");
  const submission = point.prepare<[string, string], SubmissionRow>(
    "SELECT mark, job_id, created FROM submissions WHERE who = ? AND key = ?",
  );

  const jobOf = (id: number): StoredJob | undefined => {
    const found = row.get(id);
    if (!found) return undefined;
    const { elements: specs, connections = "[]", warnings = "[]" } = made.get(id) ?? {};
    const elements = elementsOf(specs);
    const held = schedule.get(id);
    return {
      row: found,
      schedule: held ? readSchedule(held) : noSchedule,
      elements,
      connections: JSON.parse(connections),
      warnings: JSON.parse(warnings),
      runs: readRuns(elements, runs.all(id)),
      tasks: tasks.all(id).map(readTask),
      moves: moves.all(id).map(readMove),
    };
  };
  const specsOf = (id: number) => new Map(elementsOf(made.get(id)?.elements).map((spec) => [spec.uid, spec]));
  const wholeRuns = (id: number, found: readonly RawRun[]): ElementRunRow[] => {
    const specs = specsOf(id);
    return found.flatMap((raw) => {
      const spec = specs.get(raw.uid);
      return spec ? [readRun(spec, raw)] : [];
    });
  };

  return {
    job: async (id: number): Promise<StoredJob | undefined> => jobOf(id),
    instances: async (id: number, paths: readonly Path[]): Promise<StoredInstances> => {
      const at = JSON.stringify(paths);
      return { runs: wholeRuns(id, runsAt.all(id, at)), tasks: tasksAt.all(id, at).map(readTask) };
    },
    runsOf: async (id: number, uid: string): Promise<ElementRunRow[]> => wholeRuns(id, runsOf.all(id, uid)),
    listing: async (taskId: number, page: number): Promise<ListingRow | undefined> => {
      const found = listing.get(taskId, page);
      return found && { files: JSON.parse(found.files) };
    },
    attempt: async (counter: number): Promise<AttemptRow | undefined> => attempt.get(counter),
    work: async (taskId: number): Promise<Work | undefined> => {
      const found = work.get(taskId);
      return found && JSON.parse(found.work);
    },
    facts: async (uri: string): Promise<FactsRow | undefined> => {
      const found = facts.get(uri);
      return found && readFacts(found);
    },
    submission: async ({ who, key }: SubmissionName): Promise<SubmissionRow | undefined> => submission.get(who, key),
  };
};

const elementsOf = (text = "[]"): ElementSpec[] => JSON.parse(text);

type RawMove = Pick<InstanceMove, "uid" | "path" | "state"> & Readonly<Record<"batches" | "message", string | null>>;

const readMove = ({ batches, message, ...move }: RawMove): InstanceMove => ({
  ...{ ...move, batches: parsed(batches), message: message ?? undefined },
});
