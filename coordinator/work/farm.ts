import type { Checkpoint } from "../checkpoint.ts";
import type { CoordinatorConfig } from "../config.ts";
import type { FarmClock } from "../farm-clock.ts";
import type { Log } from "../log.ts";
import type { BlameBook } from "../memory/blame-book.ts";
import type { Committer } from "../memory/committer.ts";
import type { DowntimeBook } from "../memory/downtimes.ts";
import type { EventBus } from "../memory/events.ts";
import type { NodeAsks } from "../memory/node-asks.ts";
import type { ProgressBoard } from "../memory/progress.ts";
import type { Registry } from "../memory/registry.ts";
import type { Tails } from "../memory/tails.ts";
import type { Values } from "../memory/values.ts";
import type { Waits } from "../memory/waits.ts";
import type { Whereabouts } from "../memory/whereabouts.ts";
import type { OpenTask } from "../schedule/open-task.ts";
import type { ReadyIndex } from "../schedule/ready.ts";
import type { Vault } from "../secrets.ts";
import type { CredentialRow } from "../store/credentials.ts";
import type { JobSchedule, WatchedFileRow } from "../store/rows.ts";
import type { Store } from "../store/store.ts";
import type { SimulatedTask } from "./api-test.ts";
import type { Beginnings } from "./begin.ts";
import type { InTurn } from "./in-turn.ts";
import type { Sweeper } from "./sweeper.ts";

/** Everything that work needs. Decisions are made on `values`, and are stored in batches. */
export type Farm = {
  readonly config: CoordinatorConfig;
  readonly clock: FarmClock;
  /** A random number from 0 to 1. */
  readonly random: () => number;
  readonly log: Log;
  readonly epoch: number;
  readonly checkpoint: Checkpoint;
  readonly store: Store;
  /** Encrypts what must not be stored in plain text. */
  readonly vault: Vault;
  readonly values: Values;
  /** The entries of the credentials vault by name, encrypted. */
  readonly credentials: Map<string, CredentialRow>;
  readonly ready: ReadyIndex;
  /** Tasks that wait for the end of a retry delay, by id. */
  readonly delayed: Map<number, OpenTask>;
  /** Which nodes made or fetched which files. */
  readonly whereabouts: Whereabouts;
  /** Tasks that wait for something outside the farm. */
  readonly waits: Waits;
  /** Files that watched folders took, by the name of the watch and then by address. */
  readonly watches: Map<string, Map<string, WatchedFileRow>>;
  /** Tasks that the coordinator only simulates, by id. */
  readonly simulated: Map<number, SimulatedTask>;
  /** Jobs that may start nothing now: paused or scheduled. */
  readonly held: Map<number, JobSchedule>;
  /** Jobs that are stored and wait to be begun. */
  readonly beginnings: Beginnings;
  readonly sweeper: Sweeper;
  readonly inTurn: InTurn;
  readonly registry: Registry;
  readonly blame: BlameBook;
  readonly progress: ProgressBoard;
  /** When nodes took no work. */
  readonly downtimes: DowntimeBook;
  readonly events: EventBus;
  /** Logs of running attempts that somebody is viewing. */
  readonly tails: Tails;
  readonly asks: NodeAsks;
} & Pick<Committer, "change" | "changeLater" | "commits" | "settle" | "wake">;
