import type { Work } from "../../../shared/work.ts";
import type { AttemptRow, FactsRow, JobRow, StoredJob, SubmissionName, SubmissionRow } from "../rows.ts";
import { noSchedule } from "../rows.ts";
import type { Connections } from "./connections.ts";
import {
  attemptSelect,
  jobColumns,
  type RawFacts,
  type RawRun,
  type RawSchedule,
  type RawTask,
  readFacts,
  readRuns,
  readSchedule,
  readTask,
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
  const runs = point.prepare<[number], RawRun>(
    "SELECT uid, state, rounds, assets, failure FROM element_runs WHERE job_id = ?",
  );
  const tasks = point.prepare<[number], RawTask>(`${taskSelect} WHERE job_id = ? ORDER BY tasks.id`);
  const attempt = point.prepare<[number], AttemptRow>(`${attemptSelect} WHERE counter = ?`);
  const work = point.prepare<[number], { work: string }>("SELECT work FROM tasks WHERE id = ?");
  const facts = point.prepare<[string], RawFacts>("SELECT size, modified, tool, facts, found FROM facts WHERE uri = ?");
  const submission = point.prepare<[string, string], SubmissionRow>(
    "SELECT mark, job_id, created FROM submissions WHERE who = ? AND key = ?",
  );

  const jobOf = (id: number): StoredJob | undefined => {
    const found = row.get(id);
    if (!found) return undefined;
    const { elements = "[]", connections = "[]", warnings = "[]" } = made.get(id) ?? {};
    const held = schedule.get(id);
    return {
      row: found,
      schedule: held ? readSchedule(held) : noSchedule,
      connections: JSON.parse(connections),
      warnings: JSON.parse(warnings),
      runs: readRuns(elements, runs.all(id)),
      tasks: tasks.all(id).map(readTask),
    };
  };

  return {
    job: async (id: number): Promise<StoredJob | undefined> => jobOf(id),
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
