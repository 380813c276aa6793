import type { LendingAction, LendingRules } from "../../shared/lending/lending.ts";
import type { Moment } from "./schedule.ts";

/** The known state of the machine and its owner at one moment. Unknown values are undefined and ignored. */
export type Sensed = {
  /** Since the last mouse move or key press. */
  readonly idleMs?: number;
  /** The share of the processor that everything except the farm used in the last minute. */
  readonly othersLoad?: number;
  readonly isOnBattery?: boolean;
  readonly isFullScreen?: boolean;
  /** Names of the programs that run, without the farm's. */
  readonly programs?: readonly string[];
  /** The fullest disk that tasks write to. */
  readonly disk?: { readonly free: number; readonly total: number; readonly folder: string };
  /** The lid is closed, or the machine is going to sleep. */
  readonly isAsleep?: boolean;
};

export type Memory = {
  readonly isDiskLow: boolean;
  readonly isBusy: boolean;
  /** On the monotonic clock: since when it does not lend; undefined while it lends. */
  readonly blockedSince?: number;
  /** Since when the notice is shown. */
  readonly noticeSince?: number;
};

export type ButtonPress = {
  readonly rules: LendingRules;
  readonly press: LendingAction | undefined;
  readonly sensed: Sensed;
  readonly moment: Moment;
  /** False if the system cannot suspend a program. */
  readonly canSuspend: boolean;
  readonly before?: Memory;
};
