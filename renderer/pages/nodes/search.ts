import { type NodeFilter, shownStates } from "../../data/node-filters.ts";
import { type NodeSort, nodeSorts } from "./node-order.ts";

export const nodeViews = ["table", "timeline"] as const;
export const spans = [1, 4, 12, 24] as const;

/** Which nodes are shown, and how. */
export type NodesSearch = {
  readonly state?: NodeFilter;
  readonly view?: "timeline";
  readonly hours?: number;
  readonly text?: string;
  readonly sort?: NodeSort;
  readonly order?: "asc" | "desc";
};

export const nodesSearch = ({ state, view, hours, text, sort, order }: Record<string, unknown>): NodesSearch => ({
  state: shownStates.find((each) => each === state),
  view: view === "timeline" ? view : undefined,
  hours: spans.find((each) => each === hours),
  text: text === undefined || text === "" ? undefined : String(text),
  sort: nodeSorts.find((each) => each === sort),
  order: order === "asc" || order === "desc" ? order : undefined,
});

/** The more useful order of a column comes first; the same column again turns it round. */
export const nodesSortedBy = (search: NodesSearch, wanted: string): Pick<NodesSearch, "sort" | "order"> => {
  const sort = nodeSorts.find((each) => each === wanted);
  const first = sort === "failures" || sort === "memory" ? "desc" : "asc";
  if (sort !== search.sort) return { sort, order: first };
  return search.order === first
    ? { sort, order: first === "asc" ? "desc" : "asc" }
    : { sort: undefined, order: undefined };
};
