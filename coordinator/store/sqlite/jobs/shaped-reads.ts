import { getOrInsert } from "../../../../shared/basics/get-or-insert.ts";
import type { FindingRow, JobOutline, OutputRow, TaskPage, TaskViewRow, VersionFiles } from "../../job-reads.ts";
import {
  mostAttempts,
  mostPending,
  type OpenWork,
  type RecentAttempt,
  type WorkSample,
} from "../../recent-attempts.ts";
import {
  collectFindings,
  collectOutputs,
  collectVersions,
  nodeNameIn,
  openWorkOf,
  outlineOf,
  outputsIn,
  type RawBatches,
  type RawFinding,
  type RawOpenWork,
  type RawOutline,
  type RawPublished,
  type RawRecent,
  type RawRunCount,
  type RawSample,
  type RawTaskView,
  recentAttemptOf,
  sampleOf,
  specsIn,
  taskViewOf,
} from "../../shapes.ts";
import { shownStateSql } from "../tables.ts";

/** A query's rows, one after the other. */
export type Query = <Row>(sql: string, ...params: readonly unknown[]) => Iterable<Row>;

/** Sections of a transcode are work, though they are planned as a stage; their files are no outputs. */
const purposeSql = "CASE purpose WHEN 'stage' THEN 'work' ELSE purpose END";

/** Reads whose rows hold JSON that has to be looked into: they run on the reader thread. */
export const shapedReads = {
  outline: (query: Query, id: number): JobOutline => {
    const [row] = query<RawOutline>(outlineSql, id);
    return outlineOf(row, [...query<RawBatches>(batchesSql, id)], query<RawRunCount>(runCountsSql, id));
  },

  tasks: (query: Query, id: number, page: TaskPage = everyTask): TaskViewRow[] => {
    const { skip, take, element = null, states } = page;
    const wanted = states ? JSON.stringify(states) : null;
    const rows = query<RawTaskView>(tasksSql, ...[id, element, element, wanted, wanted, take, skip]);
    const names = nodeNames(query);
    return [...rows].map((row) => taskViewOf(row, names));
  },

  files: (query: Query, id: number): VersionFiles[] => {
    const versions = collectVersions();
    for (const row of filesOf(query, id)) versions.add(row);
    return versions.all();
  },

  outputs: (query: Query, id: number, skip: number, take: number): { rows: OutputRow[]; count: number } => {
    const page = collectOutputs(skip, take);
    for (const row of filesOf(query, id)) page.add(row);
    return page.all();
  },

  findings: (query: Query, id: number, atMost: number): FindingRow[] => {
    const findings = collectFindings(atMost);
    for (const row of query<RawFinding>(findingsSql, id)) if (!findings.add(row)) break;
    return findings.all();
  },

  recentAttempts: (query: Query, from: number, nodeId: number | undefined): RecentAttempt[] => {
    const [where, params] = nodeId === undefined ? ["", []] : ["AND node_id = ?", [nodeId]];
    const sql = `${attemptsSql} ${where} AND (ended IS NULL OR ended > ?) ORDER BY counter`;
    return [...query<RawRecent>(sql, ...params, from)].map(recentAttemptOf);
  },

  samples: (query: Query, most: number): WorkSample[] => [...query<RawSample>(samplesSql, most)].map(sampleOf),

  openWork: (query: Query, jobIds: readonly number[], most: number): OpenWork[] =>
    [...query<RawOpenWork>(openSql, list(jobIds), most)].map(openWorkOf),

  pendingKinds: (query: Query, jobIds: readonly number[]): { job_id: number; kind: string }[] => {
    const pending: { job_id: number; kind: string }[] = [];
    for (const { job_id, elements } of query<{ job_id: number; elements: string }>(definitionsSql, list(jobIds))) {
      const begun = new Set([...query<{ uid: string }>(begunSql, job_id)].map(({ uid }) => uid));
      for (const { uid, kind } of specsIn(elements)) if (!begun.has(uid)) pending.push({ job_id, kind });
      if (pending.length >= mostPending) break;
    }
    return pending.slice(0, mostPending);
  },
} as const;

export type ShapedReads = typeof shapedReads;

const everyTask: TaskPage = { skip: 0, take: -1 };

const outlineSql = "SELECT elements, connections, warnings FROM job_definitions WHERE job_id = ?";

const runCountsSql = `SELECT uid, state, count(*) AS n, count(batches) AS found, opened(min(failure)) AS failure,
    max(path <> '') AS isNumbered
  FROM element_runs WHERE job_id = ? GROUP BY uid, state`;
const batchesSql =
  "SELECT uid, state, opened(batches) AS batches FROM element_runs WHERE job_id = ? AND batches IS NOT NULL";

const tasksSql = `SELECT tasks.id, tasks.job_id, element_uid, path, uid, tasks.name, kind, ${purposeSql} AS purpose,
    tasks.state, coalesce(tasks.priority, jobs.priority) AS priority, retry_count, retry_delay_sec, retry_nr, losses,
    attempt, tasks.creation_time, ready_time, tasks.start_time, tasks.end_time, attempts.node_id,
    opened(tasks.failure) AS failure, opened(published) AS published
  FROM tasks JOIN jobs ON jobs.id = job_id LEFT JOIN attempts ON attempts.counter = attempt
  WHERE job_id = ? AND (? IS NULL OR element_uid = ?) AND (? IS NULL OR ${shownStateSql("tasks.")} IN (SELECT value FROM json_each(?)))
  ORDER BY tasks.id LIMIT ? OFFSET ?`;

// A report is written before the verdict that may fail its element, by a task that only prepares.
const filesSql = `SELECT id AS task_id, element_uid, opened(work) AS work, opened(published) AS published
  FROM tasks
  WHERE job_id = ? AND state = 'completed' AND purpose <> 'stage' AND published IS NOT NULL ORDER BY id`;

const findingsSql = `SELECT element_uid, id AS task_id, name, opened(published) AS published FROM tasks
  WHERE job_id = ? AND purpose = 'work' AND state IN ('completed', 'failed') AND published IS NOT NULL ORDER BY id`;

/** Attempts have no index by time. */
const newest = "counter > (SELECT coalesce(max(counter), 0) FROM attempts)";

const attemptsSql = `SELECT counter, node_id, task_id, job_id, attempts.state, assigned, ended, tasks.name,
    jobs.name AS job, kind, tasks.state AS task_state, opened(attempts.failure) AS failure
  FROM attempts CROSS JOIN tasks ON tasks.id = task_id CROSS JOIN jobs ON jobs.id = job_id
  WHERE ${newest} - ${mostAttempts}`;

const samplesSql = `SELECT counter, kind, ${purposeSql} AS purpose, node_id, stats, opened(work) AS work
  FROM attempts CROSS JOIN tasks ON tasks.id = task_id
  WHERE ${newest} - ? AND attempts.state = 'published' ORDER BY counter DESC LIMIT 1000`;

const openSql = `SELECT id AS task_id, job_id, kind, ${purposeSql} AS purpose, state, element_uid, opened(work) AS work
  FROM tasks
  WHERE job_id IN (SELECT value FROM json_each(?)) AND state NOT IN ('completed', 'failed') LIMIT ?`;

const definitionsSql = `SELECT job_id, elements FROM job_definitions
  WHERE job_id IN (SELECT value FROM json_each(?)) ORDER BY job_id`;
const begunSql = "SELECT DISTINCT uid FROM element_runs WHERE job_id = ?";

const list = (ids: readonly number[]): string => JSON.stringify(ids);

/** Names of nodes, each read once. */
const nodeNames = (query: Query): ((id: number) => string | null) => {
  const known = new Map<number, string | null>();
  return (id) =>
    getOrInsert(known, id, () => {
      const [row] = query<{ hello: string }>("SELECT hello FROM nodes WHERE id = ?", id);
      return nodeNameIn(row?.hello);
    });
};

/** The files that a job's tasks published, in the order of tasks and of their outputs. */
function* filesOf(query: Query, id: number): Generator<OutputRow> {
  for (const row of query<RawPublished>(filesSql, id)) yield* outputsIn(row);
}
