import type { FoundBatches, Weight } from "../../media/elements/element.ts";
import type { Instance } from "../../media/instances/graph-state.ts";
import type { Path } from "../../media/instances/path.ts";
import type { ListedFile } from "../../shared/files/file-selection.ts";
import type { Asset, MediaFacts } from "../../shared/model/asset.ts";
import type { ComputeGroup, TagLimit } from "../../shared/model/compute-group.ts";
import type { Demand } from "../../shared/model/demand.ts";
import type { Failure } from "../../shared/model/failure.ts";
import type { ElementSpec } from "../../shared/model/job.ts";
import type { GraphConnection } from "../../shared/model/job-graph.ts";
import type { JobOrigin } from "../../shared/model/job-info.ts";
import type { AttemptStats, Fence, Hello, Progress } from "../../shared/protocol/messages.ts";
import { nobodys, type Owned } from "../../shared/rights/reach.ts";
import type { AttemptState } from "../../shared/state/attempt.ts";
import type { ElementRunState } from "../../shared/state/element-run.ts";
import type { JobStatus, JobSubstatus } from "../../shared/state/job.ts";
import type { EnrolledState } from "../../shared/state/node.ts";
import type { TaskState } from "../../shared/state/task.ts";
import type { Awaited } from "../../shared/work/polling.ts";
import type { Intent, Published } from "../../shared/work/work.ts";
import type { HealthRow } from "./health-row.ts";
import type { WebhookDeliveryRow } from "./webhooks.ts";

/**
 * The rows of everything that decisions change: one type per table. Memory and store hold the same rows. Numbers come
 * back as numbers, texts with every character (also U+0000), objects as JSON has them, with their keys in the same order.
 * Ids, counters and times (milliseconds) are whole numbers below 2^53; only a file's `modified` has a fraction.
 */

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
  /** Minutes. */
  readonly expiration: number;
  readonly expiration_time: number | null;
  readonly error: string | null;
  /** When somebody stopped it. */
  readonly stopped: number | null;
  /** 1: its first elements were started. */
  readonly begun: 0 | 1;
} & JobSender;

/** Who sent a job, and how; it never changes. */
export type JobSender = Owned & {
  /** The name of a person or an API user; null: not known. */
  readonly owner: string | null;
  readonly origin: JobOrigin | null;
  /** The job whose watched folder began it. */
  readonly parent_id: number | null;
  /** The trace that the submission belonged to, as its caller said; null: nobody said. */
  readonly traceparent: string | null;
};

export const unknownSender: JobSender = { ...nobodys, owner: null, origin: null, parent_id: null, traceparent: null };

/** The request from which a job was made; it never changes. */
export type DefinitionRow = {
  /** As received. */
  readonly definition: string;
  readonly elements: readonly ElementSpec[];
  readonly connections: readonly GraphConnection[];
  readonly warnings: readonly string[];
};

/** When a job may run and where. */
export type JobSchedule = {
  /** When somebody paused it. */
  readonly paused: number | null;
  /** No task starts before. */
  readonly startAfter: number | null;
  /** Tags of all its tasks, in addition to their elements' tags. */
  readonly tags: readonly string[];
};

export const noSchedule: JobSchedule = { paused: null, startAfter: null, tags: [] };

export const isPaused = ({ paused, startAfter }: JobSchedule): boolean => paused !== null || startAfter !== null;

/** The findings of an enumeration: the number of files, the task that listed them, and the files per batch. */
export type RunBatches = FoundBatches & { readonly task: number };

export const countBatches = (batches: RunBatches | undefined): number =>
  batches === undefined ? 0 : Math.ceil(batches.files / batches.size);

/** How far an instance of an element has come. Its kind and spec are those of the definition. */
export type ElementRunRow = {
  readonly uid: string;
  readonly path: Path;
  readonly kind: string;
  readonly spec: ElementSpec;
  readonly state: ElementRunState;
  /** The number of its requests for facts. */
  readonly rounds: number;
  readonly assets: readonly Asset[];
  readonly failure: Failure | undefined;
  /** Of an enumeration that found something. */
  readonly batches: RunBatches | undefined;
};

/** An instance that is not stored yet. */
export const waitingRun = (spec: ElementSpec, path: Path = ""): ElementRunRow => ({
  uid: spec.uid,
  path,
  kind: spec.kind,
  spec,
  state: "waiting",
  rounds: 0,
  assets: [],
  failure: undefined,
  batches: undefined,
});

export type TaskRow = {
  readonly id: number;
  readonly job_id: number;
  readonly element_uid: string;
  /** Which instance of the element it belongs to. */
  readonly path: Path;
  readonly uid: string;
  readonly name: string;
  readonly kind: string;
  /** Gathers facts for its element, does a part of its work at a stage (a section of a transcode), or does its work. */
  readonly purpose: "facts" | "stage" | "work";
  readonly state: TaskState;
  /** Null: the job's. */
  readonly priority: number | null;
  readonly tags: readonly string[];
  readonly requires: readonly string[];
  readonly weight: Weight;
  readonly demand: Demand;
  readonly retry_count: number;
  readonly retry_delay_sec: number;
  readonly retry_nr: number;
  readonly losses: number;
  /** The counter of the current attempt. */
  readonly attempt: number | null;
  readonly creation_time: number;
  /** In the farm's time. */
  readonly ready_time: number;
  readonly start_time: number | null;
  readonly end_time: number | null;
  /** The node of the current attempt, whatever is written here. */
  readonly node_id: number | null;
  /** What must exist before it may start; undefined once it does. */
  readonly awaits: Awaited | undefined;
  readonly failure: Failure | undefined;
  /** The outputs that the last granted attempt may publish. */
  readonly intent: Intent | undefined;
  readonly published: Published | undefined;
};

export type AttemptRow = {
  readonly counter: number;
  readonly epoch: number;
  readonly task_id: number;
  readonly job_id: number;
  readonly node_id: number;
  readonly state: AttemptState;
  readonly assigned: number;
  readonly ended: number | null;
};

/** Whether the task does work of its element: all of it, or a part of it at a stage. */
export const doesWork = ({ purpose }: Pick<TaskRow, "purpose">): boolean => purpose !== "facts";

export const fenceOf = ({ epoch, counter }: Pick<AttemptRow, "epoch" | "counter">): Fence => ({ epoch, counter });

/** What an attempt cost; of one that ended without a report, how far it was when it was last heard of. */
export type KeptStats = Partial<AttemptStats> & { readonly reached?: Pick<Progress, "percent" | "speed"> };

/** What is written once when an attempt ends; not kept in memory. */
export type AttemptEnd = { readonly failure?: Failure; readonly stats?: KeptStats; readonly log?: string };

/** A node's own report, without the proof of its identity. */
export type NodeProfile = Omit<Hello, "type" | "protocol" | "credentials" | "attempts">;

export type NodeRow = {
  readonly id: number;
  readonly keyHash: string;
  readonly state: EnrolledState;
  readonly profile: NodeProfile;
  /** An operator's tags and slots; null: the agent's own. */
  readonly ownTags: readonly string[] | null;
  readonly ownSlots: number | null;
  readonly enrolled: number;
  /** The id of the join token that it came by; null: from before this was kept. */
  readonly joinedBy: string | null;
  readonly lastSeen: number;
  /** When it said goodbye, or fell asleep with nothing to do; null while it is connected or silent. */
  readonly left: number | null;
  /** When it was noticed that it is lost; null once it is back. */
  readonly lost: number | null;
  readonly revoked: number | null;
  readonly health: HealthRow;
  /** The name of its compute group. */
  readonly group: string | null;
};

export const tagsOfNode = ({ ownTags, profile }: NodeRow): readonly string[] => ownTags ?? profile.tags;
export const slotsOfNode = ({ ownSlots, profile }: NodeRow): number => ownSlots ?? profile.slots;

/** Facts of a file are valid while its size, its time and the tool are the same. */
export type FactsRow = {
  readonly size: number;
  readonly modified: number;
  readonly tool: string;
  readonly facts: MediaFacts;
  readonly found: number;
  /** The node that found them; null for those from before this was noted. */
  readonly found_by: number | null;
} & Owned;

/** A page of the files that a task found. */
export type ListingRow = { readonly files: readonly ListedFile[] };

/** The number of files on a page of a stored listing. */
export const filesAPage = 200;

/** A name that a caller gave a submission. */
export type SubmissionName = { readonly who: string; readonly key: string };
export type SubmissionRow = { readonly mark: string; readonly job_id: number; readonly created: number };

/** A file of a watched folder, and its outcome. */
export type WatchedFileRow = {
  readonly mark: string;
  /** The job that remembers it; null where a key does, beyond any job. */
  readonly owner: number | null;
  /** The job that it began; null if the file was there from the beginning, or began no job. */
  readonly job_id: number | null;
  readonly at: number;
  /** Why it begins none. */
  readonly problem: string | null;
  /** When it left its folder, in the farm's time. */
  readonly gone: number | null;
};

/**
 * The tables that are written in batches, with the type of each row in memory. Keys are the name of a group, the tag of a
 * limit, the address of facts, [job, uid, path] of a run, [task, page] of a listing, [who, key] of a submission,
 * [watch, address] of a watched file, [epoch, nr] of a delivery; else the id or the counter, and the job's for what each job has once.
 */
export type Tables = {
  readonly groups: ComputeGroup;
  readonly limits: TagLimit;
  readonly nodes: NodeRow;
  readonly jobs: JobRow;
  readonly definitions: DefinitionRow;
  /** Those of a job's definition, as they are now. */
  readonly warnings: readonly string[];
  readonly schedules: JobSchedule;
  readonly runs: ElementRunRow;
  readonly tasks: TaskRow;
  readonly attempts: AttemptRow;
  readonly facts: FactsRow;
  readonly listings: ListingRow;
  readonly submissions: SubmissionRow;
  readonly watchedFiles: WatchedFileRow;
  readonly webhookDeliveries: WebhookDeliveryRow;
};
export type TableName = keyof Tables;

/** Tables whose ids are counted: an id is never given twice. */
export const counted = ["jobs", "tasks", "attempts", "nodes"] as const;
export type Counters = Readonly<Record<(typeof counted)[number], number>>;

/** A job as decisions need it: the work and the outputs of its tasks are loaded by task. */
export type StoredJob = {
  readonly row: JobRow;
  readonly schedule: JobSchedule;
  /** In the order of the definition. */
  readonly elements: readonly ElementSpec[];
  readonly connections: readonly GraphConnection[];
  readonly warnings: readonly string[];
  /** Instances that belong to no batch, and their tasks, oldest first. */
  readonly runs: readonly ElementRunRow[];
  readonly tasks: readonly TaskRow[];
  /** How far instances of batches have come. */
  readonly moves: readonly InstanceMove[];
};

export type InstanceMove = Instance & {
  readonly state: ElementRunState;
  readonly batches: RunBatches | undefined;
  /** Of a failure. */
  readonly message: string | undefined;
};

/** Instances of batches, whole, and their tasks. */
export type StoredInstances = Pick<StoredJob, "runs" | "tasks">;
