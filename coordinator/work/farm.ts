import type { Checkpoint } from "../checkpoint.ts";
import type { CoordinatorConfig } from "../config.ts";
import type { FarmClock } from "../farm-clock.ts";
import type { Log } from "../log.ts";
import type { BlameBook } from "../memory/blame-book.ts";
import type { Committer } from "../memory/committer.ts";
import type { EventBus } from "../memory/events.ts";
import type { NodeAsks } from "../memory/node-asks.ts";
import type { ProgressBoard } from "../memory/progress.ts";
import type { Registry } from "../memory/registry.ts";
import type { SpellBook } from "../memory/spells.ts";
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
import type { PretendedTask } from "./api-test.ts";
import type { Beginnings } from "./begin.ts";
import type { InTurn } from "./in-turn.ts";

/** All that work needs, in one hand: decisions are made on `values`, and the store follows in batches. */
export type Farm = {
  readonly config: CoordinatorConfig;
  readonly clock: FarmClock;
  /** 0 to 1, by chance. */
  readonly random: () => number;
  readonly log: Log;
  readonly epoch: number;
  readonly checkpoint: Checkpoint;
  readonly store: Store;
  /** Seals what the store must not hold in the clear. */
  readonly vault: Vault;
  readonly values: Values;
  /** The credentials vault, sealed, by name. */
  readonly credentials: Map<string, CredentialRow>;
  readonly ready: ReadyIndex;
  /** Tasks that wait out a delay, by id. */
  readonly delayed: Map<number, OpenTask>;
  /** Where files were made or fetched. */
  readonly whereabouts: Whereabouts;
  /** Tasks that wait for something outside the farm. */
  readonly waits: Waits;
  /** What folders that are watched now took so far: files by address, by the name of the watch. */
  readonly watches: Map<string, Map<string, WatchedFileRow>>;
  /** Tasks that the coordinator goes through itself, by id. */
  readonly pretended: Map<number, PretendedTask>;
  /** Jobs of which nothing may start now. */
  readonly held: Map<number, JobSchedule>;
  /** Jobs that are stored and wait to be begun. */
  readonly beginnings: Beginnings;
  readonly inTurn: InTurn;
  readonly registry: Registry;
  readonly blame: BlameBook;
  readonly progress: ProgressBoard;
  /** When nodes took no work. */
  readonly spells: SpellBook;
  readonly events: EventBus;
  /** Logs of what runs, as far as somebody looks. */
  readonly tails: Tails;
  readonly asks: NodeAsks;
} & Pick<Committer, "change" | "changeLater" | "commits" | "settle" | "wake">;
