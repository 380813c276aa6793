import type { NodeRow } from "../store/rows.ts";
import type { Nodes } from "./nodes.ts";

type Parts = Pick<Nodes, "clock" | "registry" | "change">;

/**
 * Stores which nodes are lost, and which are back, so that each is told once, also over a restart. After a restart nobody was
 * heard yet: only a node that is connected is back.
 */
export const noteLostNodes = async (farm: Parts): Promise<void> => {
  const changed = farm.registry.rows().filter((row) => lostNow(farm, row) !== undefined);
  if (changed.length === 0) return;
  await farm.change([], (draft) => {
    for (const { id } of changed) {
      const row = draft.node(id);
      const lost = row && lostNow(farm, row);
      if (row && lost !== undefined) draft.setNode(row, { lost });
    }
  });
};

/** What its row has to say; undefined: it says so already. */
const lostNow = ({ registry, clock }: Parts, { id, lost, revoked }: NodeRow): number | null | undefined => {
  const presence = registry.presence(id, clock.monotonic());
  if (revoked !== null) return undefined;
  if (lost === null) return presence === "lost" ? clock.now() : undefined;
  return presence === "online" && registry.isConnected(id) ? null : undefined;
};
