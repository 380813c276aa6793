import type { Checkpoint } from "./checkpoint.ts";
import type { CoordinatorConfig } from "./config.ts";
import type { FarmClock } from "./farm-clock.ts";
import type { Log } from "./log.ts";

/**
 * What every room stands on. Each room declares what it adds in one file named as the room, on top of the rooms below;
 * a function picks what it needs from the lowest that has it, and only the top knows the whole farm.
 */
export type Ground = {
  readonly config: CoordinatorConfig;
  readonly clock: FarmClock;
  /** A random number from 0 to 1. */
  readonly random: () => number;
  readonly log: Log;
  readonly epoch: number;
  readonly checkpoint: Checkpoint;
};
