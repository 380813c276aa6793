import { getOrInsert } from "../../../../shared/basics/get-or-insert.ts";
import type { Failure } from "../../../../shared/model/failure.ts";
import type { ElementSpec } from "../../../../shared/model/job.ts";
import type { GraphConnection } from "../../../../shared/model/job-graph.ts";
import type { StepResults } from "../../../../shared/model/step-result.ts";
import type { Published, Work } from "../../../../shared/work/work.ts";
import {
  type FileRow,
  type FindingRow,
  filesAtMost,
  filesAVersion,
  findingsAtMost,
  type JobOutline,
  type OutputRow,
  type RunCount,
  type TaskPage,
  type TaskViewRow,
  type VersionFiles,
} from "../../job-reads.ts";
import {
  mostAttempts,
  mostPending,
  type OpenWork,
  type RecentAttempt,
  type WorkSample,
} from "../../recent-attempts.ts";
import { countBatches, type NodeProfile, type RunBatches } from "../../rows.ts";
import { parsed } from "../json.ts";

/** A query's rows, one after the other. */
export type Query = <Row>(sql: string, ...params: readonly unknown[]) => Iterable<Row>;

/** Sections of a transcode are work, though they are planned as a stage; their files are no outputs. */
const purposeSql = "CASE purpose WHEN 'stage' THEN 'work' ELSE purpose END";

/** Reads whose rows hold JSON that has to be looked into: they run on the reader thread. */
export const shapedReads = {
  outline: (query: Query, id: number): JobOutline => {
    const [row] = query<RawOutline>(outlineSql, id);
    return {
      elements: specsIn(row?.elements).map(({ uid, kind, name }) => ({ uid, kind, name })),
      connections: parsed<GraphConnection[]>(row?.connections) ?? [],
      warnings: parsed<string[]>(row?.warnings) ?? [],
      runs: runsOf(query, id),
    };
  },

  tasks: (query: Query, id: number, page: TaskPage = everyTask): TaskViewRow[] => {
    const { skip, take, element = null, states } = page;
    const wanted = states ? JSON.stringify(states) : null;
    const rows = query<Omit<TaskViewRow, "failure" | "node" | "published"> & RawEnd>(
      tasksSql,
      ...[id, element, element, wanted, wanted, take, skip],
    );
    const names = nodeNames(query);
    return [...rows].map(({ failure, published, ...row }) => {
      const { cause, message } = parsed<Failure>(failure) ?? {};
      const weaker = parsed<Published>(published)?.weaker;
      return {
        ...row,
        failure: cause && { cause, message: message ?? "" },
        published: weaker && { weaker },
        node: row.node_id === null ? null : names(row.node_id),
      };
    });
  },

  files: (query: Query, id: number): VersionFiles[] => {
    const versions = new Map<string, VersionFiles & { file_count: number; readonly files: FileRow[] }>();
    let left = filesAtMost;
    for (const { element_uid, version, file } of filesOf(query, id)) {
      const none = () => ({ element_uid, version, file_count: 0, files: [] });
      const known = getOrInsert(versions, `${element_uid}\n${version}`, none);
      known.file_count += 1;
      if (left === 0 || known.files.length === filesAVersion) continue;
      left -= 1;
      known.files.push({ uri: file.uri, size: file.size ?? null, facts: file.facts });
    }
    return [...versions.values()];
  },

  outputs: (query: Query, id: number, skip: number, take: number): { rows: OutputRow[]; count: number } => {
    const rows: OutputRow[] = [];
    let count = 0;
    for (const row of filesOf(query, id)) {
      if (count >= skip && rows.length < take) rows.push(row);
      count += 1;
    }
    return { rows, count };
  },

  findings: (query: Query, id: number, atMost: number): FindingRow[] => {
    const found: FindingRow[] = [];
    let characters = 0;
    for (const { published, ...row } of query<Omit<FindingRow, "results"> & { published: string }>(findingsSql, id)) {
      const results = parsed<{ results?: StepResults | null }>(published)?.results;
      if (typeof results !== "object" || results === null || Array.isArray(results)) continue;
      characters += JSON.stringify(results).length;
      if (characters > atMost || found.length >= findingsAtMost) break;
      found.push({ ...row, results });
    }
    return found;
  },

  recentAttempts: (query: Query, from: number, nodeId: number | undefined): RecentAttempt[] => {
    const [where, params] = nodeId === undefined ? ["", []] : ["AND node_id = ?", [nodeId]];
    const sql = `${attemptsSql} ${where} AND (ended IS NULL OR ended > ?) ORDER BY counter`;
    return [...query<Omit<RecentAttempt, "cause" | "message"> & { failure: string | null }>(sql, ...params, from)].map(
      ({ failure, ...row }) => {
        const { cause, message } = failureOf(failure);
        return { ...row, cause, message: message?.slice(0, 500) ?? null };
      },
    );
  },

  samples: (query: Query, most: number): WorkSample[] =>
    [...query<RawSample & { stats: string | null }>(samplesSql, most)].map(({ work, stats, ...row }) => ({
      ...row,
      wallMs: parsed<{ wallMs?: number }>(stats)?.wallMs ?? null,
      ...effortOf(work),
    })),

  openWork: (query: Query, jobIds: readonly number[], most: number): OpenWork[] =>
    [...query<Omit<OpenWork, keyof ReturnType<typeof effortOf>> & { work: string }>(openSql, list(jobIds), most)].map(
      ({ work, ...row }) => ({ ...row, ...effortOf(work) }),
    ),

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

type RawOutline = Readonly<Record<"elements" | "connections" | "warnings", string>>;
type RawEnd = { readonly failure: string | null; readonly published: string | null };
type RawSample = Omit<WorkSample, "wallMs" | keyof ReturnType<typeof effortOf>> & { readonly work: string };

const outlineSql = "SELECT elements, connections, warnings FROM job_definitions WHERE job_id = ?";

const runCountsSql = `SELECT uid, state, count(*) AS n, count(batches) AS found, min(failure) AS failure,
    max(path <> '') AS isNumbered
  FROM element_runs WHERE job_id = ? GROUP BY uid, state`;
const batchesSql = "SELECT uid, state, batches FROM element_runs WHERE job_id = ? AND batches IS NOT NULL";

const tasksSql = `SELECT tasks.id, tasks.job_id, element_uid, path, uid, tasks.name, kind, ${purposeSql} AS purpose,
    tasks.state, coalesce(tasks.priority, jobs.priority) AS priority, retry_count, retry_delay_sec, retry_nr, losses,
    attempt, tasks.creation_time, ready_time, tasks.start_time, tasks.end_time, attempts.node_id, tasks.failure, published
  FROM tasks JOIN jobs ON jobs.id = job_id LEFT JOIN attempts ON attempts.counter = attempt
  WHERE job_id = ? AND (? IS NULL OR element_uid = ?) AND (? IS NULL OR tasks.state IN (SELECT value FROM json_each(?)))
  ORDER BY tasks.id LIMIT ? OFFSET ?`;

// A report is written before the verdict that may fail its element, by a task that only prepares.
const filesSql = `SELECT id AS task_id, element_uid, work, published FROM tasks
  WHERE job_id = ? AND state = 'completed' AND purpose <> 'stage' AND published IS NOT NULL ORDER BY id`;

const findingsSql = `SELECT element_uid, id AS task_id, name, published FROM tasks
  WHERE job_id = ? AND purpose = 'work' AND state IN ('completed', 'failed') AND published IS NOT NULL ORDER BY id`;

/** Attempts have no index by time. */
const newest = "counter > (SELECT coalesce(max(counter), 0) FROM attempts)";

const attemptsSql = `SELECT counter, node_id, task_id, job_id, attempts.state, assigned, ended, tasks.name,
    jobs.name AS job, kind, tasks.state AS task_state, attempts.failure
  FROM attempts CROSS JOIN tasks ON tasks.id = task_id CROSS JOIN jobs ON jobs.id = job_id
  WHERE ${newest} - ${mostAttempts}`;

const samplesSql = `SELECT counter, kind, ${purposeSql} AS purpose, node_id, stats, work
  FROM attempts CROSS JOIN tasks ON tasks.id = task_id
  WHERE ${newest} - ? AND attempts.state = 'published' ORDER BY counter DESC LIMIT 1000`;

const openSql = `SELECT id AS task_id, job_id, kind, ${purposeSql} AS purpose, state, element_uid, work FROM tasks
  WHERE job_id IN (SELECT value FROM json_each(?)) AND state NOT IN ('completed', 'failed') LIMIT ?`;

const definitionsSql = `SELECT job_id, elements FROM job_definitions
  WHERE job_id IN (SELECT value FROM json_each(?)) ORDER BY job_id`;
const begunSql = "SELECT DISTINCT uid FROM element_runs WHERE job_id = ?";

const list = (ids: readonly number[]): string => JSON.stringify(ids);

const specsIn = (elements: string | undefined): ElementSpec[] => parsed<ElementSpec[]>(elements) ?? [];

const failureOf = (text: string | null) => {
  const failure = parsed<Failure>(text);
  return { cause: failure?.cause ?? null, message: failure?.message ?? null };
};

type RawCount = Omit<RunCount, "failure" | "below"> & { readonly found: number; readonly failure: string | null };
type RawBatches = Pick<RunCount, "uid" | "state"> & { readonly batches: string };

/** How many instances of each element are in each state. */
const runsOf = (query: Query, id: number): RunCount[] => {
  const enumerations = [...query<RawBatches>(batchesSql, id)];
  return [...query<RawCount>(runCountsSql, id)].map(({ found, failure, ...row }) => {
    const own = enumerations.filter(({ uid, state }) => uid === row.uid && state === row.state);
    const others = ended.has(row.state) ? row.n - found : 0;
    const below = own.reduce((sum, { batches }) => sum + countBatches(parsed<RunBatches>(batches)), others);
    return { ...row, failure: parsed<Failure>(failure) ?? null, below };
  });
};

const ended: ReadonlySet<RunCount["state"]> = new Set(["succeeded", "failed", "skipped"]);

/** Names of nodes, each read once. */
const nodeNames = (query: Query): ((id: number) => string | null) => {
  const known = new Map<number, string | null>();
  return (id) =>
    getOrInsert(known, id, () => {
      const [row] = query<{ hello: string }>("SELECT hello FROM nodes WHERE id = ?", id);
      return parsed<NodeProfile>(row?.hello)?.name ?? null;
    });
};

/** The files that a job's tasks published, in the order of tasks and of their outputs. */
function* filesOf(query: Query, id: number): Generator<OutputRow> {
  type Row = {
    readonly task_id: number;
    readonly element_uid: string;
    readonly work: string;
    readonly published: string;
  };
  for (const { task_id, element_uid, work, published } of query<Row>(filesSql, id)) {
    const planned = parsed<Work>(work)?.outputs ?? {};
    let position = 0;
    for (const [key, files] of Object.entries(parsed<Published>(published)?.outputs ?? {})) {
      const version = planned[key]?.version ?? key;
      for (const file of files) {
        yield { element_uid, task_id, position, version, file };
        position += 1;
      }
    }
  }
}

/** How much work it is. */
const effortOf = (text: string) => {
  const { steps = [], outputs = {} }: Partial<Work> = parsed<Work>(text) ?? {};
  const durations = steps.flatMap((step) => ("duration" in step && step.duration ? [step.duration] : []));
  const videos = Object.values(outputs).flatMap(({ expect }) => expect?.video ?? []);
  const codecs = videos.flatMap(({ codec }) => codec ?? []).sort();
  const sizes = videos.flatMap(({ width, height }) => (width && height ? [width * height] : []));
  return {
    seconds: durations.length > 0 ? Math.max(...durations) : null,
    codec: codecs.at(-1) ?? null,
    pixels: sizes.length > 0 ? sizes.reduce((sum, size) => sum + size, 0) : null,
  };
};
