import type { StateName } from "../../shared/model/state-labels.ts";

/** The states by which nodes are filtered. */
export const shownStates = [
  "working",
  "idle",
  "draining",
  "paused",
  "inUse",
  "quarantined",
  "off",
  "probation",
  "late",
  "lost",
] as const satisfies readonly StateName[];
export type NodeFilter = (typeof shownStates)[number];
