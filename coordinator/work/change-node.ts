import { AppError } from "../../shared/errors.ts";
import type { NodeUpdate } from "../db/nodes.ts";
import { moveHealth } from "./blame.ts";
import type { Farm } from "./farm.ts";

/** What an operator asks of a node. Made active, it is trusted again as well. A node that is not there stays so. */
export const changeNode = (farm: Farm, nodeId: number, change: NodeUpdate): Promise<void> =>
  farm.change((changes) => {
    requireGroup(farm, change.group);
    farm.stores.nodes.update(nodeId, change);
    changes.nodes.add(nodeId);
    const row = farm.stores.nodes.get(nodeId);
    if (!row || change.state !== "active") return;
    moveHealth(farm, changes, row, "forgive");
    farm.stores.nodes.forgive(nodeId, farm.clock.steady());
    changes.forgiven.add(nodeId);
  });

const requireGroup = (farm: Farm, name: string | null | undefined): void => {
  if (!name || farm.stores.computeGroups.all().some((group) => group.name === name)) return;
  const message = `there is no compute group "${name}"`;
  throw new AppError("VALIDATION_FAILED", `group: ${message}`, { details: [{ path: "group", message }] });
};
