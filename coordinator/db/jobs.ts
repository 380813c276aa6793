import type { GraphConnection } from "../../shared/graph.ts";
import type { JobFilter, JobInfoField } from "../../shared/job-info.ts";
import type { JobStatus, JobSubstatus } from "../../shared/state/job.ts";
import type { Db } from "./open.ts";

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
  readonly connections: readonly GraphConnection[];
  readonly warnings: readonly string[];
  readonly now: number;
};

export type JobQuery = {
  /** Absent: all. */
  readonly ids: readonly number[] | undefined;
  readonly filters: readonly JobFilter[];
  readonly order: "asc" | "desc";
  readonly sortField: JobInfoField;
  readonly skip: number;
  readonly take: number;
};

type StateChange = {
  readonly id: number;
  readonly status: JobStatus;
  readonly substatus: JobSubstatus;
  readonly progress: number;
  readonly error: string | null;
  readonly now: number;
  readonly hasEnded: boolean;
  readonly hasStarted: boolean;
};

const columns =
  "id, name, user_tag, priority, status, substatus, progress, creation_time, start_time, end_time, expiration, expiration_time, error, stopped";

export const createJobStore = ({ writer, point, reader, memo }: Db) => {
  const insert = writer.prepare<unknown[], JobRow>(
    `INSERT INTO jobs (name, user_tag, priority, status, substatus, creation_time, expiration, definition, connections, warnings)
     VALUES (?, ?, ?, 'queued', 'waiting', ?, ?, ?, ?, ?) RETURNING ${columns}`,
  );
  const row = writer.prepare<[number], JobRow>(`SELECT ${columns} FROM jobs WHERE id = ?`);
  const pointRow = point.prepare<[number], JobRow>(`SELECT ${columns} FROM jobs WHERE id = ?`);
  const connections = writer.prepare<[number], { connections: string }>("SELECT connections FROM jobs WHERE id = ?");
  const definition = point.prepare<[number], { definition: string; priority: number; warnings: string }>(
    "SELECT definition, priority, warnings FROM jobs WHERE id = ?",
  );
  const graph = point.prepare<[number], { connections: string; warnings: string }>(
    "SELECT connections, warnings FROM jobs WHERE id = ?",
  );
  const setState = writer.prepare(
    `UPDATE jobs SET status = @status, substatus = @substatus, progress = @progress, error = @error,
       start_time = coalesce(start_time, @started),
       end_time = coalesce(end_time, @ended),
       expiration_time = coalesce(expiration_time, @ended + expiration * 60000)
     WHERE id = @id`,
  );
  const update = writer.prepare(
    `UPDATE jobs SET name = coalesce(@name, name), priority = coalesce(@priority, priority),
       user_tag = CASE WHEN @setsTag THEN @userTag ELSE user_tag END,
       expiration = coalesce(@expiration, expiration),
       expiration_time = CASE WHEN end_time IS NULL THEN NULL
         ELSE end_time + coalesce(@expiration, expiration) * 60000 END
     WHERE id = @id`,
  );
  const stop = writer.prepare("UPDATE jobs SET stopped = ? WHERE id = ? AND end_time IS NULL");
  const remove = writer.prepare("DELETE FROM jobs WHERE id = ?");
  const expired = writer.prepare<[number], { id: number }>("SELECT id FROM jobs WHERE expiration_time <= ? LIMIT 100");
  const active = writer.prepare<[], { id: number }>("SELECT id FROM jobs WHERE status = 'active'");

  const get = (id: number): JobRow | undefined => {
    const known = memo.of(id);
    known.row ??= row.get(id);
    return known.row;
  };

  return {
    insert: (job: NewJob): number => {
      const made = insert.get(
        job.name,
        job.userTag,
        job.priority,
        job.now,
        job.expiration,
        job.definition,
        JSON.stringify(job.connections),
        JSON.stringify(job.warnings),
      ) as JobRow; // RETURNING on an INSERT of one row gives one row
      Object.assign(memo.of(made.id), { row: made, connections: job.connections, tasks: new Map() });
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
    definition: (id: number) => definition.get(id),
    /** Outside of a commit. */
    graph: (id: number): { readonly connections: GraphConnection[]; readonly warnings: string[] } => {
      const row = graph.get(id);
      return { connections: JSON.parse(row?.connections ?? "[]"), warnings: JSON.parse(row?.warnings ?? "[]") };
    },
    /** Writes the state down where it differs from what is written. */
    setState: (change: StateChange): void => {
      const { now, hasEnded, hasStarted, ...state } = change;
      const before = get(change.id);
      if (!before || isStated(before, change)) return;
      setState.run({ ...state, ended: hasEnded ? now : null, started: hasStarted ? now : null });
      if (hasEnded) memo.forget(change.id);
      else memo.of(change.id).row = { ...before, ...state, start_time: before.start_time ?? (hasStarted ? now : null) };
    },
    update: (
      id: number,
      change: { name?: string; priority?: number; userTag?: string | null; expiration?: number },
    ): boolean => {
      memo.forget(id); // its tasks' priorities may follow from it
      const { name = null, priority = null, userTag = null, expiration = null } = change;
      const setsTag = change.userTag === undefined ? 0 : 1;
      return update.run({ id, name, priority, setsTag, userTag, expiration }).changes > 0;
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
    active: (): number[] => active.all().map(({ id }) => id),
    list: (query: JobQuery): Promise<JobRow[]> => reader.all<JobRow>(...listSql(query)),
    count: async (filters: readonly JobFilter[]): Promise<number> => {
      const { where, params } = conditions(undefined, filters);
      const rows = await reader.all<{ n: number }>(`SELECT count(*) AS n FROM jobs ${where}`, params);
      return rows[0]?.n ?? 0;
    },
  };
};

const isStated = (row: JobRow, { status, substatus, progress, error, hasStarted, hasEnded }: StateChange): boolean =>
  row.status === status &&
  row.substatus === substatus &&
  row.progress === progress &&
  row.error === error &&
  (row.start_time !== null || !hasStarted) &&
  (row.end_time !== null || !hasEnded);

/** Sorts ids first and joins the rows after, so that a deep page never sorts whole rows. */
const listSql = ({ ids, filters, order, sortField, skip, take }: JobQuery): [string, unknown[]] => {
  const { where, params } = conditions(ids, filters);
  const direction = order === "desc" ? "DESC" : "ASC";
  const sort = sortField === "id" ? `id ${direction}` : `${sortField} ${direction}, id ${direction}`;
  return [
    `WITH page AS (SELECT id AS page_id FROM jobs ${where} ORDER BY ${sort} LIMIT ? OFFSET ?)
     SELECT ${columns} FROM page JOIN jobs ON id = page_id ORDER BY ${sort}`,
    [...params, take, skip],
  ];
};

/** Values within one filter are alternatives, filters add up. */
const conditions = (ids: readonly number[] | undefined, filters: readonly JobFilter[]) => {
  const parts: string[] = [];
  const params: unknown[] = [];
  const oneOf = (column: string, values: readonly (string | number)[]) => {
    parts.push(`${column} IN (SELECT value FROM json_each(?))`);
    params.push(JSON.stringify(values));
  };
  if (ids) oneOf("id", ids);
  for (const { field, values } of filters) oneOf(field, values);
  return { where: parts.length > 0 ? `WHERE ${parts.join(" AND ")}` : "", params };
};
