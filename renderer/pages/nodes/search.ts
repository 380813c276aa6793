import { type NodeFilter, shownStates } from "../../data/node-filters.ts";

export const nodeViews = ["table", "timeline"] as const;
export const spans = [1, 4, 12, 24] as const;

/** Which nodes are shown, and how. */
export type NodesSearch = { readonly state?: NodeFilter; readonly view?: "timeline"; readonly hours?: number };

export const nodesSearch = ({ state, view, hours }: Record<string, unknown>): NodesSearch => ({
  state: shownStates.find((each) => each === state),
  view: view === "timeline" ? view : undefined,
  hours: spans.find((each) => each === hours),
});
