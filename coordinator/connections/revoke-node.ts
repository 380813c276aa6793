import { AppError } from "../../shared/basics/errors.ts";
import { jobsAt, loseAttempts } from "../attempts/lost-attempts.ts";
import type { Nodes } from "../nodes/nodes.ts";

/**
 * Revokes a node's key: its tasks go to other nodes, it is told to exit, and it can no longer connect. The next attempt
 * checks for files that it may have published in part.
 */
export const revokeNode = async (farm: Nodes, nodeId: number): Promise<void> => {
  const { registry } = farm;
  const isBarred = registry.bar(nodeId);
  try {
    await farm.change(jobsAt(farm, nodeId), (draft) => {
      const row = draft.node(nodeId);
      if (!row || row.revoked !== null) throw new AppError("NOT_FOUND", `There is no node ${nodeId}`);
      draft.setNode(row, { revoked: farm.clock.now() });
      loseAttempts(farm, draft, ({ node_id }) => node_id === nodeId, `node ${row.profile.name} was revoked`);
      draft.after(() => dismiss(farm, nodeId));
    });
  } catch (problem) {
    if (isBarred) registry.unbar(nodeId);
    throw problem;
  }
};

const dismiss = (farm: Pick<Nodes, "events" | "registry">, nodeId: number): void => {
  const connection = farm.registry.remove(nodeId);
  connection?.send({ type: "refused", message: "The farm has revoked this node", retry: false, reason: "revoked" });
  connection?.close();
  farm.events.publish({ type: "node.removed", node_id: String(nodeId) });
};
