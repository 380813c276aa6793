import { AppError } from "../../shared/errors.ts";
import type { Farm } from "./farm.ts";
import { loseAttempt } from "./report.ts";

/**
 * Takes a node's key from it: what it runs goes to others, it is told to end, and it is let in no more. What it may have
 * published in part is looked at by the next attempt.
 */
export const revokeNode = async (farm: Farm, nodeId: number): Promise<void> => {
  const { registry, stores } = farm;
  const isBarred = registry.bar(nodeId);
  try {
    await farm.change((changes) => {
      const row = stores.nodes.get(nodeId);
      if (!row) throw new AppError("NOT_FOUND", `There is no node ${nodeId}`);
      stores.nodes.revoke(nodeId, farm.clock.now());
      for (const attempt of stores.attempts.open()) {
        if (attempt.node_id === nodeId) loseAttempt(farm, changes, attempt, `node ${row.profile.name} was revoked`);
      }
      changes.revoked.add(nodeId);
    });
  } catch (problem) {
    if (isBarred) registry.unbar(nodeId);
    throw problem;
  }
};
