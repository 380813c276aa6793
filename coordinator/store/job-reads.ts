import type { JobGroup } from "../../shared/api/job-view.ts";
import type { MediaFacts } from "../../shared/model/asset.ts";
import type { Failure } from "../../shared/model/failure.ts";
import type { ElementSpec } from "../../shared/model/job.ts";
import type { GraphConnection } from "../../shared/model/job-graph.ts";
import type { JobFilter, JobInfoField } from "../../shared/model/job-info.ts";
import type { StepResults } from "../../shared/model/step-result.ts";
import type { Owned } from "../../shared/rights/reach.ts";
import type { ElementRunState } from "../../shared/state/element-run.ts";
import type { JobStatus } from "../../shared/state/job.ts";
import type { TaskState } from "../../shared/state/task.ts";
import type { Published, Work } from "../../shared/work/work.ts";
import type { AttemptRow, JobRow, KeptStats, NodeProfile, TaskRow } from "./rows.ts";

export type StateCount = { readonly status: JobStatus; readonly substatus: string | null; readonly n: number };

/** Which jobs are meant: those that fulfil all of it. */
export type JobSelection = {
  /** Absent: all. */
  readonly ids?: readonly number[] | undefined;
  /** The values of one are alternatives; none: no job. */
  readonly filters: readonly {
    readonly field: JobFilter["field"] | keyof Owned;
    readonly values: readonly (string | null)[];
  }[];
  /**
   * Part of the name, the tag, the owner or the error (A to Z like a to z, no other letters), or a whole id; or, if it may be
   * of a file's name, part of the elements of one of the newest jobs. Empty: any.
   */
  readonly text?: string;
  /** Jobs that the text means for another reason. */
  readonly alsoIds?: readonly number[];
  /** held: paused or scheduled · active: other open ones · failed: no substatus, after `recent` · ended: others. */
  readonly group?: JobGroup | undefined;
  readonly recent?: number;
};

/** Definitions are long: those of so many of the newest jobs are searched for a file's name. */
export const mostSearchedDefinitions = 50_000;

/** Whether a text may be part of a file's name or path, and is long enough to tell files apart. */
export const isFileLike = (text: string): boolean => text.length >= 4 && /[./\\_-]/.test(text);

/** The text as it stands in JSON. */
export const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

export type SortField = Exclude<JobInfoField, "error" | "origin" | "parent_id">;

export type JobQuery = JobSelection & {
  /** Ids settle ties, in the same order. Attention: retrying, active and waiting, running, queued; else newest first. */
  readonly sort: SortField | "attention";
  readonly order: "asc" | "desc";
  /** About how many jobs are meant, where the caller knows it. */
  readonly size?: number;
  readonly skip: number;
  readonly take: number;
};

/** A task as it is read: its priority is its own, or its job's. */
export type ReadTask = TaskRow & { readonly priority: number };

/** With what it cost, why it failed, and the node that had it. */
export type AttemptWithStats = AttemptRow & {
  readonly failure: Failure | undefined;
  readonly stats: KeptStats | undefined;
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
  /** For an enumeration: the number of its batches; for others that ended: that of instances. */
  readonly below: number;
  /** 1: some belong to batches. */
  readonly isNumbered: 0 | 1;
  /** One of those that failed. */
  readonly failure: Failure | null;
};

/** What a job consists of, and how far it is; nothing of one that does not exist. */
export type JobOutline = {
  /** In the order of the definition. */
  readonly elements: readonly Pick<ElementSpec, "uid" | "kind" | "name">[];
  readonly connections: readonly GraphConnection[];
  readonly warnings: readonly string[];
  readonly runs: readonly RunCount[];
};

/** Some of a job's tasks, by element and state where these are given. */
export type TaskPage = {
  readonly skip: number;
  readonly take: number;
  readonly element?: string | undefined;
  /** A failed task that somebody stopped counts as stopped. */
  readonly states?: readonly (TaskState | "stopped")[] | undefined;
};

/** A task as it is listed, with the node that had it. */
export type TaskViewRow = Omit<
  ReadTask,
  "intent" | "published" | "failure" | "tags" | "requires" | "weight" | "purpose"
> & {
  /** Stages count as work. */
  readonly purpose: "facts" | "work";
  readonly failure: Pick<Failure, "cause" | "message"> | undefined;
  /** Promises that the storage could not make. */
  readonly published: Pick<Published, "weaker"> | undefined;
  readonly node: string | null;
};

/** Files of one version that are listed, of all versions together, and tasks with findings. */
export const [filesAVersion, filesAtMost, findingsAtMost] = [200, 5000, 500];

/** The files of one version, of which only the first ones are listed. */
export type VersionFiles = {
  readonly element_uid: string;
  readonly version: string;
  readonly file_count: number;
  readonly files: readonly FileRow[];
};
export type FileRow = { readonly uri: string; readonly size: number | null; readonly facts: MediaFacts | undefined };

export type OutputRow = {
  readonly element_uid: string;
  readonly task_id: number;
  readonly position: number;
  readonly version: string;
  /** As its node saw it. */
  readonly file: Published["outputs"][string][number];
};

/** The results of one task's steps. */
export type FindingRow = {
  readonly element_uid: string;
  readonly task_id: number;
  readonly name: string;
  readonly results: StepResults;
};

/** Reads of durable data; large ones run beside the event loop. Tasks and attempts come in the order of ids. */
export type JobReads = {
  readonly outline: (id: number) => Promise<JobOutline>;
  readonly task: (id: number) => Promise<ReadTask | undefined>;
  /** Without a page all of them. */
  readonly tasks: (jobId: number, page?: TaskPage) => Promise<TaskViewRow[]>;
  readonly logs: (taskId: number) => Promise<AttemptLog[]>;
  readonly report: (id: number) => Promise<JobReport | undefined>;

  readonly list: (query: JobQuery) => Promise<JobRow[]>;
  readonly count: (selection: JobSelection) => Promise<number>;
  /** The number of jobs in each state, without states that have none. */
  readonly states: (selection: JobSelection) => Promise<StateCount[]>;
  /** Who sent jobs, each once, in the order of names. */
  readonly owners: (atMost: number) => Promise<string[]>;
  /** A failed task that somebody stopped counts as stopped. */
  readonly taskStatesOf: (
    jobIds: readonly number[],
  ) => Promise<{ readonly job_id: number; readonly state: TaskState | "stopped"; readonly n: number }[]>;

  /** What completed tasks published, but no sections: by element and the work's version, in the order of first files. */
  readonly files: (id: number) => Promise<VersionFiles[]>;
  /** Of tasks that ended and did work: the first ones, as much as `atMost` characters of JSON hold. */
  readonly findings: (id: number, atMost: number) => Promise<FindingRow[]>;
  /** Some of the files, by task and in the order in which it published them, and how many there are. */
  readonly outputs: (id: number, skip: number, take: number) => Promise<{ rows: OutputRow[]; count: number }>;
};

/** Whether the stored counts of states answer what is asked for. */
export const isByState = ({ ids, filters, text }: JobSelection): boolean =>
  !ids && !text && filters.every(({ field }) => field === "status" || field === "substatus");

/** Whether a count is of a state that is asked for. */
export const isMeant =
  ({ filters }: JobSelection) =>
  (state: StateCount): boolean =>
    filters.every(({ field, values }) => values.includes(field === "status" ? state.status : state.substatus));
