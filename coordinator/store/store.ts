import type { Ending } from "../../shared/attempt.ts";
import type { ComputeGroup, TagLimit } from "../../shared/compute-group.ts";
import type { Path } from "../../shared/instances/path.ts";
import type { FarmMount } from "../../shared/protocol.ts";
import type { SavedView } from "../../shared/saved-view.ts";
import type { TaskState } from "../../shared/state/task.ts";
import type { Awaited } from "../../shared/waiting.ts";
import type { Work } from "../../shared/work.ts";
import type { AuditStore } from "./audit.ts";
import type { Batch } from "./batch.ts";
import type { CredentialStore } from "./credentials.ts";
import type { JobReads } from "./job-reads.ts";
import type { AccountStore, PersonStore, TokenStore } from "./people.ts";
import type { RecentAttempts } from "./recent-attempts.ts";
import type {
  AttemptRow,
  Counters,
  ElementRunRow,
  FactsRow,
  JobRow,
  JobSchedule,
  ListingRow,
  NodeRow,
  StoredInstances,
  StoredJob,
  SubmissionName,
  SubmissionRow,
  TaskRow,
  WatchedFileRow,
} from "./rows.ts";

import type { SectionFileStore } from "./section-files.ts";

/** Who leads: the epoch rises with every start, `batch` is the last one that became durable in it. */
export type Lead = { readonly epoch: number; readonly batch: number };

/** An open task as loaded at the start, without its job. */
export type OpenTaskRow = Pick<TaskRow, "id" | "name" | "kind" | "tags" | "requires" | "weight" | "demand"> & {
  readonly jobId: number;
  readonly elementUid: string;
  readonly state: TaskState;
  /** Its own, or its job's. */
  readonly priority: number;
  readonly readyTime: number;
  readonly retryNr: number;
  readonly awaits: Awaited | undefined;
};

/** The contents of memory at the start. */
export type Recalled = {
  readonly counters: Counters;
  /** Revoked ones too. */
  readonly nodes: readonly NodeRow[];
  readonly groups: readonly ComputeGroup[];
  readonly limits: readonly TagLimit[];
  /** Open ones. */
  readonly attempts: readonly AttemptRow[];
  readonly tasks: readonly OpenTaskRow[];
  /** The latest attempt of each open job; their order is the order of the jobs' turns. */
  readonly turns: readonly (readonly [jobId: number, turn: number])[];
  /** Open jobs that may start nothing now. */
  readonly held: readonly (readonly [jobId: number, schedule: JobSchedule])[];
  /** Jobs that were begun and have not ended. */
  readonly active: readonly number[];
  /** Failed attempts of open jobs. */
  readonly failures: readonly Ending[];
  /** The last reported attempts, in order. */
  readonly endings: readonly Ending[];
};

/**
 * The storage of everything. Nothing outside knows an engine's statements, locks or row ids. Decisions are written in
 * batches; each operation that does not concern jobs has a transaction of its own.
 */
export type Store = {
  /** Begins a run of the coordinator with a higher epoch, at least `atLeast`. */
  readonly lead: (atLeast: number) => Promise<Lead>;
  readonly leading: () => Promise<Lead>;
  /** With the endings among the last so many attempts. */
  readonly recall: (lastAttempts: number) => Promise<Recalled>;
  readonly load: {
    readonly job: (id: number) => Promise<StoredJob | undefined>;
    /** Its row alone. */
    readonly row: (id: number) => Promise<JobRow | undefined>;
    /** Whole instances at these paths, the empty one too. */
    readonly instances: (id: number, paths: readonly Path[]) => Promise<StoredInstances>;
    /** All instances of an element that were begun. */
    readonly runsOf: (id: number, uid: string) => Promise<ElementRunRow[]>;
    readonly listing: (taskId: number, page: number) => Promise<ListingRow | undefined>;
    readonly attempt: (counter: number) => Promise<AttemptRow | undefined>;
    readonly work: (taskId: number) => Promise<Work | undefined>;
    readonly facts: (uri: string) => Promise<FactsRow | undefined>;
    readonly submission: (name: SubmissionName) => Promise<SubmissionRow | undefined>;
  };
  /** Moves the lead from batch nr-1 to nr and writes all rows, or none. Rejects with StoreRefusal. */
  readonly write: (batch: Batch) => Promise<void>;
  /** Queries for jobs to act on; a decision checks each again. */
  readonly due: {
    readonly expired: (now: number) => Promise<number[]>;
    /**
     * Addresses of facts found until then, among the next `lookedAt` ones; each call continues where the last stopped.
     */
    readonly oldFacts: (until: number, lookedAt: number) => Promise<string[]>;
    /** Jobs that were not begun, by priority and age. */
    readonly toBegin: (most: number) => Promise<{ readonly id: number; readonly priority: number }[]>;
  };
  readonly watches: WatchReads;
  /** Returns some unused space to the disk. */
  readonly giveBackSpace: () => Promise<void>;
  /** A deleted job is gone at once; this deletes some of the rows that it left. False if there were none. */
  readonly clearLeftovers: () => Promise<boolean>;
  readonly sectionFiles: SectionFileStore;
  readonly forgetSubmissions: (until: number) => Promise<void>;
  readonly jobs: JobReads;
  readonly recentAttempts: RecentAttempts;
  readonly audit: AuditStore;
  readonly credentials: CredentialStore;
  readonly accounts: AccountStore;
  readonly tokens: TokenStore;
  readonly people: PersonStore;
  readonly meta: MetaStore;
  readonly mounts: MountStore;
  readonly presets: PresetStore;
  readonly savedViews: SavedViewStore;
  readonly unsealed: UnsealedStore;
  /** Aborted as soon as the store is to close. */
  readonly closing: AbortSignal;
  readonly close: () => Promise<void>;
};

/** The files that watched folders took, by the name of the watch. */
export type WatchReads = {
  /** Every file; the empty address stands for the folder itself once it was looked at. */
  readonly all: (watch: string) => Promise<(WatchedFileRow & { readonly uri: string })[]>;
  readonly counts: (watch: string) => Promise<WatchCounts>;
  /** The latest first. */
  readonly files: (watch: string, skip: number, take: number) => Promise<(WatchedFileRow & { readonly uri: string })[]>;
};

export type WatchCounts = { readonly existing: number; readonly taken: number; readonly refused: number };

/** Single values by name. */
export type MetaStore = {
  readonly get: (key: string) => Promise<string | undefined>;
  readonly set: (key: string, value: string) => Promise<void>;
  /** The stored value; if there is none, stores and returns this one. */
  readonly ensure: (key: string, value: string) => Promise<string>;
};

export type MountStore = {
  readonly all: () => Promise<FarmMount[]>;
  /** The change is a function of the current rows, so two people's changes at the same time both take effect. */
  readonly change: (decide: (mounts: FarmMount[]) => FarmMount[]) => Promise<FarmMount[]>;
};

/** JSON texts by key. */
export type PresetStore = {
  readonly read: (key: string) => Promise<string | undefined>;
  readonly readAll: () => Promise<string[]>;
  /** False if there are already `most` others. */
  readonly put: (key: string, preset: string, now: number, most: number) => Promise<boolean>;
  readonly remove: (key: string) => Promise<boolean>;
};

export type SavedViewStore = {
  readonly all: () => Promise<SavedView[]>;
  /** False if there are already `most`. */
  readonly put: (view: SavedView, most: number) => Promise<boolean>;
  readonly remove: (page: string, name: string) => Promise<boolean>;
};

export type UnsealedTable = "definitions" | "specs" | "presets";
type UnsealedKey = readonly (string | number)[];
export type UnsealedRow = { readonly key: UnsealedKey; readonly text: string };

/** Rows stored before passwords were encrypted, and how far the search has come. */
export type UnsealedStore = {
  readonly pending: () => Promise<{ readonly what: UnsealedTable; readonly after: UnsealedKey }[]>;
  /** The next rows after a key, at least one if there are any. */
  readonly rows: (what: UnsealedTable, after: UnsealedKey) => Promise<UnsealedRow[]>;
  /** Replaces the texts that nobody has changed since by sealed ones, and notes how far it has come. */
  readonly seal: (
    what: UnsealedTable,
    sealed: readonly { readonly row: UnsealedRow; readonly text: string }[],
    last: UnsealedKey | undefined,
  ) => Promise<void>;
  /** Removes old rows from the write-ahead log, unless somebody is reading. */
  readonly emptyLog: () => Promise<void>;
};
