import type { FactsRow, NodeRow } from "../store/rows.ts";

type Trust = { readonly row: (nodeId: number) => Pick<NodeRow, "health" | "revoked"> | undefined };

/**
 * Whether stored facts still count. Those of a node that was revoked do not, nor those that it found before it came out of
 * its last quarantine, what it ran meanwhile included: it may have lied about more than it was caught at.
 */
export const isBelieved = (nodes: Trust, { found, found_by }: Pick<FactsRow, "found" | "found_by">): boolean => {
  if (found_by === null) return true;
  const node = nodes.row(found_by);
  if (!node || node.revoked !== null) return false;
  const { state, strikes, since, until } = node.health;
  if (strikes === 0 || since === null) return true;
  return state !== "quarantined" && found > (until ?? since);
};
