import type { Cause, Failure } from "../../shared/causes.ts";
import type { GraphConnection } from "../../shared/graph.ts";
import type { ElementSpec } from "../../shared/job.ts";
import type { JobFilter, JobInfoField } from "../../shared/job-info.ts";
import type { JobGroup, JobSort } from "../../shared/job-view.ts";
import type { AttemptStats } from "../../shared/protocol.ts";
import type { ElementRunState } from "../../shared/state/element-run.ts";
import type { JobStatus } from "../../shared/state/job.ts";
import type { TaskState } from "../../shared/state/task.ts";
import type { Work } from "../../shared/work.ts";
import type { AttemptRow, JobRow, NodeProfile, TaskRow } from "./rows.ts";

export type SortField = Exclude<JobInfoField, "error" | "origin" | "parent_id">;

export type JobQuery = {
  /** Absent: all. */
  readonly ids: readonly number[] | undefined;
  readonly filters: readonly JobFilter[];
  readonly order: "asc" | "desc";
  readonly sortField: SortField;
  readonly skip: number;
  readonly take: number;
};

export type StateCount = { readonly status: JobStatus; readonly substatus: string | null; readonly n: number };

/** Which jobs a list shows; empty lists mean any. */
export type JobListFilter = {
  readonly statuses: readonly JobStatus[];
  readonly substatuses: readonly (string | null)[];
  readonly owners: readonly (string | null)[];
  readonly text: string;
  /** Failures that ended after this are a group of their own. */
  readonly recent: number;
};

export type JobListQuery = JobListFilter & {
  readonly sort: JobSort;
  readonly order: "asc" | "desc";
  /** Undefined: jobs of all groups. */
  readonly group: JobGroup | undefined;
  /** About how many jobs the group has. */
  readonly size: number;
  readonly skip: number;
  readonly take: number;
};

/** A task as it is read: its priority is its own, or its job's. */
export type ReadTask = TaskRow & { readonly priority: number };

/** With what it cost, why it failed, and the node that had it. */
export type AttemptWithStats = AttemptRow & {
  readonly failure: Failure | undefined;
  readonly stats: AttemptStats | undefined;
  readonly node: string | null;
  readonly machine: NodeProfile["machine"] | undefined;
};

export type AttemptLog = Omit<AttemptWithStats, "machine"> & { readonly log: string | null };

/** Everything that a job's result is made from, at one moment. */
export type JobReport = {
  readonly row: JobRow;
  readonly warnings: readonly string[];
  readonly elements: readonly ElementSpec[];
  readonly tasks: readonly ReadTask[];
  readonly works: ReadonlyMap<number, Work>;
  readonly attempts: readonly AttemptWithStats[];
};

/** Instances of one element in one state. */
export type RunCount = {
  readonly uid: string;
  readonly state: ElementRunState;
  readonly n: number;
  /** For an enumeration: how often its followers run. */
  readonly below: number;
  /** 1: some belong to batches. */
  readonly isNumbered: 0 | 1;
  /** One of those that failed. */
  readonly failure: Failure | null;
};

/** Some of a job's tasks, by element and state where these are given. */
export type TaskPage = {
  readonly skip: number;
  readonly take: number;
  readonly element?: string | undefined;
  readonly states?: readonly TaskState[] | undefined;
};

export type TaskViewRow = Omit<ReadTask, "intent" | "published" | "failure" | "tags" | "requires" | "weight"> & {
  readonly cause: Cause | null;
  readonly message: string | null;
  readonly node: string | null;
  /** JSON: promises that the storage could not make. */
  readonly weaker: string | null;
};

export type FileRow = {
  readonly element_uid: string;
  readonly version: string;
  readonly file_count: number;
  readonly uri: string;
  readonly size: number | null;
  /** JSON, as the agent found it. */
  readonly facts: string | null;
};

export type OutputRow = {
  readonly element_uid: string;
  readonly task_id: number;
  readonly position: number;
  readonly version: string;
  /** JSON: the file as its node saw it. */
  readonly file: string;
};

/** The results of one task's steps: JSON of `StepResults`. */
export type FindingRow = {
  readonly element_uid: string;
  readonly task_id: number;
  readonly name: string;
  readonly results: string;
};

/** Reads of jobs: only durable data; large reads run beside the event loop. */
export type JobReads = {
  readonly row: (id: number) => Promise<JobRow | undefined>;
  readonly definition: (id: number) => Promise<string | undefined>;
  readonly graph: (
    id: number,
  ) => Promise<{ readonly connections: readonly GraphConnection[]; readonly warnings: readonly string[] }>;
  /** Its elements as they were read, payloads sealed where they hold secrets. */
  readonly specs: (id: number) => Promise<ElementSpec[]>;
  readonly task: (id: number) => Promise<ReadTask | undefined>;
  readonly tasks: (jobId: number) => Promise<ReadTask[]>;
  /** Attempts of a task, oldest first. */
  readonly logs: (taskId: number) => Promise<AttemptLog[]>;
  readonly report: (id: number) => Promise<JobReport | undefined>;

  readonly list: (query: JobQuery) => Promise<JobRow[]>;
  readonly count: (filters: readonly JobFilter[]) => Promise<number>;
  /** The number of jobs in each state, without states that have none. */
  readonly states: () => Promise<StateCount[]>;
  /** The rows of the pages' list of jobs. */
  readonly rows: (query: JobListQuery) => Promise<JobRow[]>;
  /** The same jobs by state. */
  readonly stateCounts: (filter: JobListFilter) => Promise<StateCount[]>;
  /** How many of them failed recently. */
  readonly countFailed: (filter: JobListFilter) => Promise<number>;
  /** Who sent jobs, in the order of names. */
  readonly owners: (atMost: number) => Promise<string[]>;
  readonly taskStatesOf: (
    jobIds: readonly number[],
  ) => Promise<{ readonly job_id: number; readonly state: TaskState; readonly n: number }[]>;

  /** In the order of the definition. */
  readonly elements: (id: number) => Promise<Pick<ElementSpec, "uid" | "kind" | "name">[]>;
  readonly runCounts: (id: number) => Promise<RunCount[]>;
  readonly taskViews: (id: number, page: TaskPage) => Promise<TaskViewRow[]>;
  readonly fileViews: (id: number) => Promise<FileRow[]>;
  /** Of tasks that ended, in the order of ids, as much as `atMost` characters hold. */
  readonly findings: (id: number, atMost: number) => Promise<FindingRow[]>;
  readonly outputs: (id: number, skip: number, take: number) => Promise<OutputRow[]>;
  readonly countOutputs: (id: number) => Promise<number>;
};
