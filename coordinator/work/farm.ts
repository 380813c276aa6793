import type { Fence } from "../../shared/protocol.ts";
import type { Checkpoint } from "../checkpoint.ts";
import type { CoordinatorConfig } from "../config.ts";
import type { JobSchedule } from "../db/job-schedules.ts";
import type { Db } from "../db/open.ts";
import type { OpenTask } from "../db/open-tasks.ts";
import type { Stores } from "../db/stores.ts";
import type { FarmClock } from "../farm-clock.ts";
import type { Log } from "../log.ts";
import type { Held, Registry } from "../nodes/registry.ts";
import type { Ending } from "../schedule/blame.ts";
import type { ReadyIndex } from "../schedule/ready.ts";
import type { Vault } from "../secrets.ts";
import type { Accepting } from "./accepting.ts";
import type { PretendedTask } from "./api-test.ts";
import type { BlameBook } from "./blame.ts";
import type { EventBus } from "./events.ts";
import type { ProgressBoard } from "./progress.ts";
import type { Tails } from "./tails.ts";

/** All that work needs, in one hand: the store is the truth, the rest is what memory makes of it. */
export type Farm = {
  readonly config: CoordinatorConfig;
  readonly clock: FarmClock;
  /** 0 to 1, by chance. */
  readonly random: () => number;
  readonly log: Log;
  readonly epoch: number;
  readonly checkpoint: Checkpoint;
  readonly db: Db;
  readonly stores: Stores;
  /** Seals what the store must not hold in the clear. */
  readonly vault: Vault;
  readonly ready: ReadyIndex;
  /** Tasks that wait out a delay, by id. */
  readonly delayed: Map<number, OpenTask>;
  /** Tasks that the coordinator goes through itself, by id. */
  readonly pretended: Map<number, PretendedTask>;
  /** Jobs of which nothing may start now. */
  readonly held: Map<number, JobSchedule>;
  /** At most so many tasks with the tag run at a time. */
  readonly limits: Map<string, number>;
  readonly accepting: Accepting;
  readonly registry: Registry;
  readonly blame: BlameBook;
  readonly progress: ProgressBoard;
  readonly events: EventBus;
  /** Logs of what runs, as far as somebody looks. */
  readonly tails: Tails;
  /** Runs `fn` in a commit and, after it, carries what it noted into memory and to whoever must know. */
  readonly change: <T>(fn: (changes: Changes) => T) => Promise<T>;
};

/** What a commit did, noted while it runs and acted on once it is durable. */
export type Changes = {
  /** Jobs whose state has to be derived again before the commit ends. */
  readonly touchedJobs: Set<number>;
  /** Jobs of which more could have been begun, and about how many elements: a later commit goes on with them. */
  readonly unfinished: Map<number, number>;
  readonly jobs: Set<number>;
  readonly deletedJobs: Set<number>;
  readonly tasks: Set<number>;
  readonly begun: { readonly nodeId: number; readonly held: Held }[];
  readonly ended: { readonly nodeId: number; readonly fence: Fence }[];
  readonly cancelled: { readonly nodeId: number; readonly fence: Fence; readonly why: string }[];
  /** When and where jobs may run from now on. */
  readonly held: Map<number, JobSchedule>;
  /** The limits of tags have changed. */
  limits: boolean;
  /** How attempts ended, for what is held against nodes. */
  readonly endings: Ending[];
  /** Nodes whose rows have changed. */
  readonly nodes: Set<number>;
  /** Nodes whose key was taken from them. */
  readonly revoked: Set<number>;
  /** Nodes against which nothing is held any more. */
  readonly forgiven: Set<number>;
  /** Effort of a job as it stands, for the progress board; undefined takes an ended job off it. */
  readonly shares: Map<number, { done: number; total: number; tasks: Map<number, number> } | undefined>;
};

export const newChanges = (): Changes => ({
  touchedJobs: new Set(),
  unfinished: new Map(),
  jobs: new Set(),
  deletedJobs: new Set(),
  tasks: new Set(),
  begun: [],
  ended: [],
  cancelled: [],
  held: new Map(),
  limits: false,
  endings: [],
  nodes: new Set(),
  revoked: new Set(),
  forgiven: new Set(),
  shares: new Map(),
});
