import type { StateName } from "../../../shared/model/state-labels.ts";

export const shownStates = [
  "working",
  "idle",
  "draining",
  "paused",
  "inUse",
  "quarantined",
  "probation",
  "late",
  "lost",
] as const satisfies readonly StateName[];
export type NodeFilter = (typeof shownStates)[number];
export const nodeViews = ["table", "timeline"] as const;
export const spans = [1, 4, 12, 24] as const;

/** Which nodes are shown, and how. */
export type NodesSearch = { readonly state?: NodeFilter; readonly view?: "timeline"; readonly hours?: number };

export const nodesSearch = ({ state, view, hours }: Record<string, unknown>): NodesSearch => ({
  state: shownStates.find((each) => each === state),
  view: view === "timeline" ? view : undefined,
  hours: spans.find((each) => each === hours),
});
