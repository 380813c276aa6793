import type { Path } from "../../media/instances/path.ts";
import type { Ending } from "../../shared/model/attempt.ts";
import type { ComputeGroup, TagLimit } from "../../shared/model/compute-group.ts";
import type { TaskState } from "../../shared/state/task.ts";
import type { Awaited } from "../../shared/work/polling.ts";
import type { Work } from "../../shared/work/work.ts";
import type { AlertStore } from "./alerts.ts";
import type { AuditStore } from "./audit.ts";
import type { Batch, Key } from "./batch.ts";
import type { JobReads } from "./job-reads.ts";
import type { AccountStore, PassStore, PersonStore } from "./people.ts";
import type { RecentAttempts } from "./recent-attempts.ts";
import type { RecordStore } from "./records.ts";
import type {
  AttemptRow,
  Counters,
  ElementRunRow,
  JobSchedule,
  NodeRow,
  StoredInstances,
  StoredJob,
  Tables,
  TaskRow,
  WatchedFileRow,
} from "./rows.ts";
import type { SectionFileStore } from "./section-files.ts";
import type { TrailStore } from "./trail.ts";
import type { WebhookStore } from "./webhooks.ts";

/** Who leads: the epoch rises with every start, `batch` is the last one that became durable in it. Both are 0 before. */
export type Lead = { readonly epoch: number; readonly batch: number };

/** A task that has not ended, of an open job, as loaded at the start. */
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

/** The contents of memory at the start. Jobs that are queued or active are open. */
export type Recalled = {
  readonly counters: Counters;
  /** Revoked ones too; in the order of ids, as groups and limits are in that of their names. */
  readonly nodes: readonly NodeRow[];
  readonly groups: readonly ComputeGroup[];
  readonly limits: readonly TagLimit[];
  /** Assigned, running or committing. */
  readonly attempts: readonly AttemptRow[];
  readonly tasks: readonly OpenTaskRow[];
  /** The highest `attempt` of the tasks of each open job that has one; these numbers order the jobs' turns. */
  readonly turns: readonly (readonly [jobId: number, turn: number])[];
  /** Open jobs that are paused, or start later. */
  readonly held: readonly (readonly [jobId: number, schedule: JobSchedule])[];
  /** Open jobs that are active, or were begun. */
  readonly active: readonly number[];
  /** Failed attempts of open jobs, in the order of their counters. */
  readonly failures: readonly Ending[];
  /** What was published or failed among the last attempts, in the order in which it ended. */
  readonly endings: readonly Ending[];
};

/** Rows that are read by their keys; the work of a task stays out of its row in memory. */
export type KeyedRows = Pick<
  Tables,
  "jobs" | "definitions" | "schedules" | "attempts" | "listings" | "facts" | "submissions"
> & {
  readonly works: { readonly work: Work };
};

/**
 * The storage of everything. Nothing outside knows an engine's statements, locks or row ids. Decisions are written in
 * batches; each operation that does not concern jobs has a transaction of its own, and rejects with AppError UNAVAILABLE,
 * having stored nothing, if the disk fails or is out of reach; where a server does not say what became of it, with
 * OUTCOME_UNKNOWN. A read shows one moment, and all that had resolved by then.
 * Its order is named, or is any. Texts are equal, and ordered, by the bytes of their UTF-8; null comes first.
 */
export type Store = {
  /** Begins a run of the coordinator with a higher epoch, at least `atLeast`, and batch 0. */
  readonly lead: (atLeast: number) => Promise<Lead>;
  readonly leading: () => Promise<Lead>;
  /**
   * After an unknown outcome: says who leads once that batch is durable, or never will be. If it is not, its number may be
   * used up. The next batch follows the one that is told.
   */
  readonly settle: (batch: Pick<Batch, "epoch" | "nr">) => Promise<Lead>;
  /** With the endings among so many counters of attempts, from the highest one down. */
  readonly recall: (lastAttempts: number) => Promise<Recalled>;
  readonly load: {
    readonly job: (id: number) => Promise<StoredJob | undefined>;
    /** One row by its key (`Tables`). */
    readonly row: <N extends keyof KeyedRows>(table: N, ...key: Key) => Promise<KeyedRows[N] | undefined>;
    /** The begun instances of batches at these paths. */
    readonly instances: (id: number, paths: readonly Path[]) => Promise<StoredInstances>;
    /** All instances of an element that were begun. */
    readonly runsOf: (id: number, uid: string) => Promise<ElementRunRow[]>;
  };
  /** Moves the lead from batch nr-1 to nr and writes all rows, or none; one at a time. Rejects with StoreRefusal. */
  readonly write: (batch: Batch) => Promise<void>;
  /** Queries for jobs to act on, some at a time; a decision checks each again. */
  readonly due: {
    readonly expired: (now: number) => Promise<number[]>;
    /** Addresses of facts found until then, the oldest first, then by address. */
    readonly oldFacts: (until: number, most: number) => Promise<string[]>;
    /** Jobs that were not begun and are neither paused nor scheduled, the highest priority first, then the lowest id. */
    readonly toBegin: (most: number) => Promise<{ readonly id: number; readonly priority: number }[]>;
  };
  readonly watches: WatchReads;
  /**
   * Clears away what nobody needs, a few milliseconds' work at a time: what deleted jobs left (all but the definition,
   * schedule and history, which go with the job), then submissions created until then, and unused space. True: there may be
   * more of deleted jobs. Files with a size that tasks of theirs published at a stage become `sectionFiles`.
   */
  readonly maintain: (until: { readonly submissions: number }) => Promise<boolean>;
  readonly sectionFiles: SectionFileStore;
  readonly jobs: JobReads;
  readonly recentAttempts: RecentAttempts;
  readonly alerts: AlertStore;
  readonly webhooks: WebhookStore;
  readonly audit: AuditStore;
  readonly trail: TrailStore;
  readonly records: RecordStore;
  readonly accounts: AccountStore;
  readonly passes: PassStore;
  readonly people: PersonStore;
  /** Decides which of several coordinators leads; undefined where the store admits one alone. */
  readonly lease?: Lease;
  /** Aborted as soon as the store is to close. */
  readonly closing: AbortSignal;
  readonly close: () => Promise<void>;
};

/** Who was not noted as standing by for so long does so no longer. */
export const standbyMs = 5000;

/** The right to lead, for some time and by the store's clock alone. */
export type Lease = {
  /** Takes it if it is free, or prolongs it for who holds it. Gives its term, which rises with every new holder. */
  readonly take: (wanted: {
    /** A name that no other process has. */
    readonly holder: string;
    /** Where the others find this coordinator. */
    readonly address: string;
    readonly ms: number;
  }) => Promise<number | undefined>;
  /** Ends it at once, if this holder has it. */
  readonly give: (holder: string) => Promise<void>;
  /** Who holds it now. */
  readonly leader: () => Promise<{ readonly address: string; readonly term: number } | undefined>;
  /** Notes that this coordinator stands by; to be repeated within `standbyMs`. */
  readonly wait: (mine: { readonly holder: string; readonly address: string }) => Promise<void>;
  /** This coordinator stands by no longer. */
  readonly leave: (holder: string) => Promise<void>;
  /** The addresses of those who stand by, sorted. */
  readonly standbys: () => Promise<readonly string[]>;
};

export type StoredWatchedFile = WatchedFileRow & { readonly uri: string };

/** The files that watched folders took, by the name of the watch. */
export type WatchReads = {
  /** Every file; the empty address stands for the folder itself once it was looked at. */
  readonly all: (watch: string) => Promise<StoredWatchedFile[]>;
  /** Some files, not the folder, the latest first, then by address; and how many have no outcome, a job, a problem. */
  readonly page: (
    watch: string,
    skip: number,
    take: number,
  ) => Promise<{ readonly files: StoredWatchedFile[]; readonly counts: WatchCounts }>;
};

export type WatchCounts = { readonly existing: number; readonly taken: number; readonly refused: number };
