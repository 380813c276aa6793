import type { ElementSpec } from "../../../shared/model/job.ts";
import {
  type DefinitionRow,
  type ElementRunRow,
  type HealthRow,
  type NodeRow,
  type TableName,
  type Tables,
  type TaskRow,
  waitingRun,
} from "../rows.ts";
import { type RawRow, readJson } from "./json.ts";

/** A row of memory as columns; objects are stored as JSON, undefined as NULL. */
export type Columns = Readonly<Record<string, unknown>>;

type Table<Row> = {
  readonly name: string;
  readonly key: readonly string[];
  readonly columns: (row: Row) => Columns;
};

/** How each table is written. Rows are inserted in this order: referenced tables come first. */
export const tables: { readonly [N in TableName]: Table<Tables[N]> } = {
  groups: { name: "compute_groups", key: ["name"], columns: ({ name: _, ...tags }) => tags },
  limits: { name: "tag_limits", key: ["tag"], columns: ({ most }) => ({ most }) },
  nodes: {
    name: "nodes",
    key: ["id"],
    columns: ({ keyHash, state, profile, ownTags, ownSlots, enrolled, lastSeen, revoked, health, group }) => ({
      key_hash: keyHash,
      state,
      hello: profile,
      tags: ownTags,
      slots: ownSlots,
      enrolled,
      last_seen: lastSeen,
      revoked,
      health: health.state,
      health_since: health.since,
      health_until: health.until,
      health_why: health.why,
      strikes: health.strikes,
      compute_group: group,
    }),
  },
  jobs: { name: "jobs", key: ["id"], columns: ({ id: _, ...row }) => row },
  definitions: { name: "job_definitions", key: ["job_id"], columns: (row) => row },
  warnings: { name: "job_definitions", key: ["job_id"], columns: (warnings) => ({ warnings }) },
  schedules: {
    name: "job_schedules",
    key: ["job_id"],
    columns: ({ paused, startAfter, tags }) => ({ paused, start_after: startAfter, task_tags: tags }),
  },
  runs: {
    name: "element_runs",
    key: ["job_id", "uid", "path"],
    columns: ({ state, rounds, assets, failure, batches }) => ({ state, rounds, assets, failure, batches }),
  },
  tasks: { name: "tasks", key: ["id"], columns: ({ id: _, node_id: __, ...row }) => row },
  attempts: { name: "attempts", key: ["counter"], columns: ({ counter: _, job_id: __, ...row }) => row },
  listings: { name: "listings", key: ["task_id", "page"], columns: (row) => row },
  facts: { name: "facts", key: ["uri"], columns: (row) => row },
  submissions: { name: "submissions", key: ["who", "key"], columns: (row) => row },
  watchedFiles: { name: "watched_files", key: ["watch", "uri"], columns: (row) => row },
};

export const jobColumns =
  "id, name, user_tag, priority, status, substatus, progress, creation_time, start_time, end_time, expiration, expiration_time, error, stopped, begun, owner, owner_id, owner_group, origin, parent_id";

export const jobSql = `SELECT ${jobColumns} FROM jobs WHERE id = ?`;

/** Without the request itself. */
export const definitionSql = "SELECT elements, connections, warnings FROM job_definitions WHERE job_id = ?";

export const readDefinition = (raw: RawRow | undefined): Omit<DefinitionRow, "definition"> =>
  raw
    ? readJson<DefinitionRow>(raw, "elements", "connections", "warnings")
    : { elements: [], connections: [], warnings: [] };

/** Columns of tasks and of their current attempts, apart from the priority. */
export const taskColumns = `tasks.id, job_id, element_uid, path, uid, tasks.name, kind, purpose, tasks.state, tags, requires,
    weight, demand, retry_count, retry_delay_sec, retry_nr, losses, attempt, tasks.creation_time, ready_time,
    tasks.start_time, tasks.end_time, attempts.node_id, awaits, tasks.failure, intent, published`;

export const taskSelect = `SELECT ${taskColumns}, priority
  FROM tasks LEFT JOIN attempts ON attempts.counter = attempt`;

export const readTask = (raw: RawRow): TaskRow =>
  readJson<TaskRow>(raw, "tags", "requires", "demand", "awaits", "failure", "intent", "published");

export const attemptColumns = "counter, epoch, task_id, job_id, node_id, attempts.state, assigned, ended";
export const attemptSelect = `SELECT ${attemptColumns}
  FROM attempts JOIN tasks ON tasks.id = task_id`;

export const runColumns = "uid, path, state, rounds, assets, failure, batches";

/** Elements in the order of the definition, with the stored columns of those that have begun. */
export const readRuns = (elements: readonly ElementSpec[], begun: readonly RawRow[]): ElementRunRow[] => {
  const byUid = new Map(begun.map((raw) => [raw.uid, raw]));
  return elements.map((spec) => readRun(spec, byUid.get(spec.uid)));
};

export const readRun = (spec: ElementSpec, raw: RawRow | undefined): ElementRunRow => {
  if (!raw) return waitingRun(spec);
  const { assets = [], ...run } = readJson<Partial<ElementRunRow>>(raw, "assets", "failure", "batches");
  return { ...waitingRun(spec), ...run, assets };
};

export const scheduleColumns = "paused, start_after AS startAfter, task_tags AS tags";

export const nodeSelect = `SELECT id, key_hash AS keyHash, state, hello AS profile, tags AS ownTags, slots AS ownSlots,
    enrolled, last_seen AS lastSeen, revoked, compute_group AS "group", health, health_since AS since,
    health_until AS until, health_why AS why, strikes
  FROM nodes`;

export type RawNode = RawRow & Omit<HealthRow, "state"> & { readonly health: HealthRow["state"] };

export const readNode = ({ health: state, since, until, why, strikes, ...raw }: RawNode): NodeRow => {
  const node = readJson<NodeRow>(raw, "profile", "ownTags");
  return { ...node, ownTags: node.ownTags ?? null, health: { state, since, until, why, strikes } };
};
