import type { ElementSpec } from "../../../shared/job.ts";
import {
  type DefinitionRow,
  type ElementRunRow,
  type FactsRow,
  type JobSchedule,
  type NodeRow,
  soundHealth,
  type TableName,
  type Tables,
  type TaskRow,
  waitingRun,
} from "../rows.ts";
import { parsed } from "./json.ts";

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
  "id, name, user_tag, priority, status, substatus, progress, creation_time, start_time, end_time, expiration, expiration_time, error, stopped, begun, owner, origin, parent_id";

export const jobSql = `SELECT ${jobColumns} FROM jobs WHERE id = ?`;

export const definitionSql = "SELECT elements, connections, warnings FROM job_definitions WHERE job_id = ?";
export type RawDefinition = Readonly<Record<"elements" | "connections" | "warnings", string>>;

export const readDefinition = (raw: RawDefinition | undefined): Omit<DefinitionRow, "definition"> => ({
  elements: parsed(raw?.elements) ?? [],
  connections: parsed(raw?.connections) ?? [],
  warnings: parsed(raw?.warnings) ?? [],
});

export type RawTask = Omit<TaskRow, "tags" | "requires" | "demand" | "awaits" | "failure" | "intent" | "published"> &
  Readonly<Record<"tags" | "requires" | "demand", string>> &
  Readonly<Record<"awaits" | "failure" | "intent" | "published", string | null>>;

/** Columns of tasks and of their current attempts, apart from the priority. */
export const taskColumns = `tasks.id, job_id, element_uid, path, uid, tasks.name, kind, purpose, tasks.state, tags, requires,
    weight, demand, retry_count, retry_delay_sec, retry_nr, losses, attempt, tasks.creation_time, ready_time,
    tasks.start_time, tasks.end_time, attempts.node_id, awaits, tasks.failure, intent, published`;

export const taskSelect = `SELECT ${taskColumns}, priority
  FROM tasks LEFT JOIN attempts ON attempts.counter = attempt`;

export const readTask = (raw: RawTask): TaskRow => ({
  ...raw,
  tags: JSON.parse(raw.tags),
  requires: JSON.parse(raw.requires),
  demand: JSON.parse(raw.demand),
  awaits: parsed(raw.awaits),
  failure: parsed(raw.failure),
  intent: parsed(raw.intent),
  published: parsed(raw.published),
});

export const attemptColumns = "counter, epoch, task_id, job_id, node_id, attempts.state, assigned, ended";
export const attemptSelect = `SELECT ${attemptColumns}
  FROM attempts JOIN tasks ON tasks.id = task_id`;

export const runColumns = "uid, path, state, rounds, assets, failure, batches";

export type RawRun = Pick<ElementRunRow, "uid" | "path" | "state" | "rounds"> &
  Readonly<Record<"assets" | "failure" | "batches", string | null>>;

/** Elements in the order of the definition, with the stored columns of those that have begun. */
export const readRuns = (elements: readonly ElementSpec[], begun: readonly RawRun[]): ElementRunRow[] => {
  const byUid = new Map(begun.map((raw) => [raw.uid, raw]));
  return elements.map((spec) => readRun(spec, byUid.get(spec.uid)));
};

export const readRun = (spec: ElementSpec, raw: RawRun | undefined): ElementRunRow => {
  if (!raw) return waitingRun(spec);
  const { path, state, rounds, assets, failure, batches } = raw;
  const found = { assets: parsed(assets) ?? [], failure: parsed(failure), batches: parsed(batches) };
  return { ...waitingRun(spec, path), state, rounds, ...found };
};

export type RawSchedule = {
  readonly paused: number | null;
  readonly start_after: number | null;
  readonly task_tags: string;
};

export const readSchedule = ({ paused, start_after, task_tags }: RawSchedule): JobSchedule => ({
  paused,
  startAfter: start_after,
  tags: JSON.parse(task_tags),
});

export type RawNode = Readonly<Record<"id" | "enrolled" | "last_seen" | "strikes", number>> &
  Readonly<Record<"slots" | "revoked" | "health_since" | "health_until", number | null>> &
  Readonly<Record<"tags" | "health_why" | "compute_group", string | null>> & {
    readonly key_hash: string;
    readonly hello: string;
    readonly state: NodeRow["state"];
    readonly health: NodeRow["health"]["state"];
  };

export const readNode = (raw: RawNode): NodeRow => ({
  id: raw.id,
  keyHash: raw.key_hash,
  state: raw.state,
  profile: JSON.parse(raw.hello),
  ownTags: parsed(raw.tags) ?? null,
  ownSlots: raw.slots,
  enrolled: raw.enrolled,
  lastSeen: raw.last_seen,
  revoked: raw.revoked,
  health: {
    ...soundHealth,
    state: raw.health,
    since: raw.health_since,
    until: raw.health_until,
    why: raw.health_why,
    strikes: raw.strikes,
  },
  group: raw.compute_group,
});

export type RawFacts = Omit<FactsRow, "facts"> & { readonly facts: string };
export const readFacts = (raw: RawFacts): FactsRow => ({ ...raw, facts: JSON.parse(raw.facts) });
