import type { Explanation, Reason } from "../../../shared/explain.ts";

type Remedy = { readonly to: "/nodes" | "/farm"; readonly word: string };

const nodes: Remedy = { to: "/nodes", word: "Go to Nodes" };
const groups: Remedy = { to: "/farm", word: "See tags of groups" };

/** Where a person changes what holds a task back; what ends by itself has no such place. */
const remedies: Partial<Record<Reason, Remedy>> = {
  no_nodes: { to: "/nodes", word: "Add a node" },
  nobody_can: nodes,
  limit: { to: "/farm", word: "See the limits" },
  missing_tag: groups,
  mandatory_tag: groups,
  offline: nodes,
  node_paused: nodes,
  node_draining: nodes,
  quarantined: nodes,
};

/** What holds everywhere stands before what holds on one node. */
export const remedyOf = ({ reasons, nodes: places }: Pick<Explanation, "reasons" | "nodes">): Remedy | undefined =>
  [...reasons, ...places.flatMap((place) => place.reasons)]
    .map(({ reason }) => remedies[reason])
    .find((remedy) => remedy !== undefined);
