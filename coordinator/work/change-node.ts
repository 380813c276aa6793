import type { NodeState } from "../../shared/state/node.ts";
import { moveHealth } from "./blame.ts";
import type { Farm } from "./farm.ts";

export type NodeChange = {
  readonly state?: NodeState | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly slots?: number | undefined;
};

/** What an operator asks of a node. Made active, it is trusted again as well. A node that is not there stays so. */
export const changeNode = (farm: Farm, nodeId: number, change: NodeChange): Promise<void> =>
  farm.change((changes) => {
    farm.stores.nodes.update(nodeId, change);
    changes.nodes.add(nodeId);
    const row = farm.stores.nodes.get(nodeId);
    if (!row || change.state !== "active") return;
    moveHealth(farm, changes, row, "forgive");
    changes.forgiven.add(nodeId);
  });
