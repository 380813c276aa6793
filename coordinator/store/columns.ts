import type { ElementSpec } from "../../shared/model/job.ts";
import type { HealthRow } from "./health-row.ts";
import { type RawRow, readJson } from "./json.ts";
import {
  type DefinitionRow,
  type ElementRunRow,
  type NodeRow,
  type TableName,
  type Tables,
  type TaskRow,
  waitingRun,
} from "./rows.ts";

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
    columns: ({
      keyHash,
      state,
      profile,
      ownTags,
      ownSlots,
      enrolled,
      joinedBy,
      lastSeen,
      left,
      lost,
      revoked,
      health,
      group,
    }) => ({
      key_hash: keyHash,
      // What an operator sets is kept apart from whether anybody has let it work.
      state: state === "pending" ? "paused" : state,
      pending: state === "pending" ? 1 : 0,
      hello: profile,
      tags: ownTags,
      slots: ownSlots,
      enrolled,
      joined_by: joinedBy,
      last_seen: lastSeen,
      left_at: left,
      lost_at: lost,
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
  tasks: {
    name: "tasks",
    key: ["id"],
    columns: ({ id: _, node_id: __, ...row }) => ({ ...row, cause: row.failure?.cause }),
  },
  attempts: { name: "attempts", key: ["counter"], columns: ({ counter: _, job_id: __, ...row }) => row },
  listings: { name: "listings", key: ["task_id", "page"], columns: (row) => row },
  facts: { name: "facts", key: ["uri"], columns: (row) => row },
  submissions: { name: "submissions", key: ["who", "key"], columns: (row) => row },
  watchedFiles: { name: "watched_files", key: ["watch", "uri"], columns: (row) => row },
  webhookDeliveries: {
    name: "webhook_deliveries",
    key: ["epoch", "nr"],
    columns: ({ epoch: _, nr: __, nextTry, status, ...row }) => ({ ...row, next_try: nextTry, http_status: status }),
  },
};

export const readDefinition = (raw: RawRow | undefined): Omit<DefinitionRow, "definition"> =>
  raw
    ? readJson<DefinitionRow>(raw, "elements", "connections", "warnings")
    : { elements: [], connections: [], warnings: [] };

export const readTask = (raw: RawRow): TaskRow =>
  readJson<TaskRow>(raw, "tags", "requires", "demand", "awaits", "failure", "intent", "published");

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

export type RawNode = RawRow &
  Omit<HealthRow, "state"> & { readonly health: HealthRow["state"]; readonly pending: 0 | 1 };

export const readNode = ({ health, since, until, why, strikes, pending, ...raw }: RawNode): NodeRow => {
  const node = readJson<NodeRow>(raw, "profile", "ownTags");
  const state = pending === 1 ? "pending" : node.state;
  return { ...node, state, ownTags: node.ownTags ?? null, health: { state: health, since, until, why, strikes } };
};
