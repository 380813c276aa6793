import type { GraphConnection } from "../../shared/graph.ts";
import type { ElementSpec } from "../../shared/job.ts";
import type { JobStatus, JobSubstatus } from "../../shared/state/job.ts";
import { waitingRun } from "./element-runs.ts";
import type { Db } from "./open.ts";
import { createUpdate } from "./update.ts";

export type JobRow = {
  readonly id: number;
  readonly name: string;
  readonly user_tag: string | null;
  readonly priority: number;
  readonly status: JobStatus;
  readonly substatus: JobSubstatus;
  readonly progress: number;
  readonly creation_time: number;
  readonly start_time: number | null;
  readonly end_time: number | null;
  readonly expiration: number;
  readonly expiration_time: number | null;
  readonly error: string | null;
  readonly stopped: number | null;
};

export type NewJob = {
  readonly name: string;
  readonly userTag: string | null;
  readonly priority: number;
  readonly expiration: number;
  readonly definition: string;
  readonly elements: readonly ElementSpec[];
  readonly connections: readonly GraphConnection[];
  readonly warnings: readonly string[];
  readonly now: number;
};

export type JobUpdate = {
  readonly name?: string;
  readonly priority?: number;
  /** Absent: stays; null: none. */
  readonly userTag?: string | null;
  readonly expiration?: number;
};

type StateChange = {
  readonly id: number;
  readonly status: JobStatus;
  readonly substatus: JobSubstatus;
  readonly progress: number;
  readonly error: string | null;
  readonly now: number;
  /** The same moment in the farm's time. */
  readonly steady: number;
  readonly hasEnded: boolean;
  readonly hasStarted: boolean;
};

export const jobColumns =
  "id, name, user_tag, priority, status, substatus, progress, creation_time, start_time, end_time, expiration, expiration_time, error, stopped";

/** How many warnings a job keeps. */
const maxWarnings = 200;

export const createJobStore = ({ writer, point, memo }: Db) => {
  const insert = writer.prepare(
    `INSERT INTO jobs (name, user_tag, priority, status, substatus, creation_time, expiration)
     VALUES (?, ?, ?, 'queued', 'waiting', ?, ?)`,
  );
  const insertDefinition = writer.prepare(
    "INSERT INTO job_definitions (job_id, definition, elements, connections, warnings) VALUES (?, ?, ?, ?, ?)",
  );
  const row = writer.prepare<[number], JobRow>(`SELECT ${jobColumns} FROM jobs WHERE id = ?`);
  const pointRow = point.prepare<[number], JobRow>(`SELECT ${jobColumns} FROM jobs WHERE id = ?`);
  const connections = writer.prepare<[number], { connections: string }>(
    "SELECT connections FROM job_definitions WHERE job_id = ?",
  );
  const definition = point.prepare<[number], { definition: string }>(
    "SELECT definition FROM job_definitions WHERE job_id = ?",
  );
  const graph = point.prepare<[number], { connections: string; warnings: string }>(
    "SELECT connections, warnings FROM job_definitions WHERE job_id = ?",
  );
  const warned = writer.prepare<[number], { warnings: string }>(
    "SELECT warnings FROM job_definitions WHERE job_id = ?",
  );
  const warn = writer.prepare("UPDATE job_definitions SET warnings = ? WHERE job_id = ?");
  const setState = createUpdate<keyof JobRow>(writer, "jobs", "id = ?");
  const setProgress = writer.prepare(
    "UPDATE jobs SET progress = ? WHERE id = ? AND progress <> ? AND end_time IS NULL",
  );
  const update = writer.prepare(
    `UPDATE jobs SET name = coalesce(@name, name), priority = coalesce(@priority, priority),
       user_tag = CASE WHEN @setsTag THEN @userTag ELSE user_tag END,
       expiration = coalesce(@expiration, expiration),
       expiration_time = CASE WHEN end_time IS NULL THEN NULL
         ELSE expiration_time + (coalesce(@expiration, expiration) - expiration) * 60000 END
     WHERE id = @id`,
  );
  const stop = writer.prepare("UPDATE jobs SET stopped = ? WHERE id = ? AND end_time IS NULL");
  const remove = writer.prepare("DELETE FROM jobs WHERE id = ?");
  const expired = writer.prepare<[number], { id: number }>("SELECT id FROM jobs WHERE expiration_time <= ? LIMIT 100");
  const halfBegun = writer.prepare<[number], { id: number }>(
    `SELECT id FROM jobs WHERE status = 'queued'
       AND (NOT EXISTS (SELECT 1 FROM tasks WHERE job_id = jobs.id)
         OR (SELECT json_array_length(elements) FROM job_definitions WHERE job_id = jobs.id) > ?)`,
  );
  const active = writer.prepare<[], { id: number }>("SELECT id FROM jobs WHERE status = 'active'");

  const get = (id: number): JobRow | undefined => {
    const known = memo.of(id);
    known.row ??= row.get(id);
    return known.row;
  };

  return {
    insert: (job: NewJob): number => {
      const { definition, elements, connections, warnings } = job;
      const { lastInsertRowid } = insert.run(job.name, job.userTag, job.priority, job.now, job.expiration);
      const made = newRow(Number(lastInsertRowid), job);
      const texts = [elements, connections, warnings].map((part) => JSON.stringify(part));
      insertDefinition.run(made.id, definition, ...texts);
      const runs = elements.map(waitingRun);
      Object.assign(memo.of(made.id), { row: made, connections, runs, tasks: new Map() });
      return made.id;
    },
    /** Inside a commit: as it stands in this transaction. */
    get,
    /** Outside of one: as it was last committed. */
    read: (id: number): JobRow | undefined => pointRow.get(id),
    connections: (id: number): readonly GraphConnection[] => {
      const known = memo.of(id);
      known.connections ??= JSON.parse(connections.get(id)?.connections ?? "[]") as GraphConnection[]; // as it was stored
      return known.connections;
    },
    definition: (id: number): string | undefined => definition.get(id)?.definition,
    /** Outside of a commit. */
    graph: (id: number): { readonly connections: GraphConnection[]; readonly warnings: string[] } => {
      const row = graph.get(id);
      return { connections: JSON.parse(row?.connections ?? "[]"), warnings: JSON.parse(row?.warnings ?? "[]") };
    },
    /** Adds to the warnings what is not there yet. */
    warn: (id: number, warnings: readonly string[]): void => {
      const before: string[] = JSON.parse(warned.get(id)?.warnings ?? "[]");
      const after = [...new Set([...before, ...warnings])].slice(0, maxWarnings);
      if (after.length > before.length) warn.run(JSON.stringify(after), id);
    },
    /** Writes the state down where it differs from what is written; progress alone is not worth it. */
    setState: (stated: StateChange): void => {
      const { now, steady, hasEnded, hasStarted, ...state } = stated;
      const before = get(stated.id);
      if (!before || isStated(before, stated)) return;
      const after: JobRow = {
        ...before,
        ...state,
        start_time: before.start_time ?? (hasStarted ? now : null),
        end_time: before.end_time ?? (hasEnded ? now : null),
        expiration_time: before.expiration_time ?? (hasEnded ? steady + before.expiration * 60_000 : null),
      };
      setState(changed(before, after), stated.id);
      memo.of(stated.id).row = after;
    },
    /** Percent, of a job that goes on: what lists are sorted by. */
    setProgress: (id: number, progress: number): void => {
      if (setProgress.run(progress, id, progress).changes === 0) return;
      const known = memo.of(id);
      if (known.row) known.row = { ...known.row, progress };
    },
    update: (id: number, { name, priority, userTag, expiration }: JobUpdate): boolean => {
      memo.forget(id); // its tasks' priorities may follow from it
      const tag = { setsTag: userTag === undefined ? 0 : 1, userTag: userTag ?? null };
      const written = { id, name: name ?? null, priority: priority ?? null, expiration: expiration ?? null, ...tag };
      return update.run(written).changes > 0;
    },
    stop: (id: number, now: number): boolean => {
      memo.forget(id);
      return stop.run(now, id).changes > 0;
    },
    remove: (id: number): boolean => {
      memo.forget(id);
      return remove.run(id).changes > 0;
    },
    expired: (now: number): number[] => expired.all(now).map(({ id }) => id),
    /** Queued jobs that nobody has begun, and those with so many elements that some may not have been yet. */
    halfBegun: (elements: number): number[] => halfBegun.all(elements).map(({ id }) => id),
    active: (): number[] => active.all().map(({ id }) => id),
  };
};

/** A job as it was inserted. */
const newRow = (id: number, { name, userTag, priority, now, expiration }: NewJob): JobRow => ({
  id,
  name,
  user_tag: userTag,
  priority,
  status: "queued",
  substatus: "waiting",
  progress: 0,
  creation_time: now,
  start_time: null,
  end_time: null,
  expiration,
  expiration_time: null,
  error: null,
  stopped: null,
});

const changed = (before: JobRow, after: JobRow): Partial<JobRow> =>
  Object.fromEntries(
    Object.entries(after).filter(([column, value]) => before[column as keyof JobRow] !== value), // a row's own columns
  );

const isStated = (row: JobRow, { status, substatus, error, hasStarted, hasEnded }: StateChange): boolean =>
  row.status === status &&
  row.substatus === substatus &&
  row.error === error &&
  (row.start_time !== null || !hasStarted) &&
  (row.end_time !== null || !hasEnded);
