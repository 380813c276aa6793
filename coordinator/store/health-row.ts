import type { NodeHealth } from "../../shared/state/node.ts";

export type HealthRow = {
  readonly state: NodeHealth;
  /** In the farm's time: the start of counting its failures (last quarantine or pardon), and its quarantine's end. */
  readonly since: number | null;
  readonly until: number | null;
  readonly why: string | null;
  /** Quarantines in quick succession. */
  readonly strikes: number;
};

export const soundHealth: HealthRow = { state: "sound", since: null, until: null, why: null, strikes: 0 };
