import type { ComputeGroup } from "../../shared/model/compute-group.ts";
import { createAbilities, createCapacity } from "./capacity.ts";
import { createConnections } from "./connected-nodes.ts";
import { createKnownNodes } from "./known-nodes.ts";
import type { NodeEntries } from "./node-entry.ts";
import { createPresence, type Silence } from "./presence.ts";
import { createRunningAttempts } from "./running-attempts.ts";

export type Registry = ReturnType<typeof createRegistry>;

/** The enrolled nodes: which are connected, when each was last heard, and what each runs and could take. */
export const createRegistry = (
  limits: Silence,
  groupOf: (name: string) => ComputeGroup | undefined = () => undefined,
) => {
  const entries: NodeEntries = new Map();
  const known = createKnownNodes(entries, groupOf);
  return {
    ...known,
    ...createConnections(entries, known.put),
    ...createPresence(entries, limits),
    ...createRunningAttempts(entries),
    ...createCapacity(entries),
    ...createAbilities(entries),
  };
};
