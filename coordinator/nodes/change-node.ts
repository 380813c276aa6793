import type { ParsedInputOf } from "../../shared/api/api.ts";
import { AppError } from "../../shared/basics/errors.ts";
import { invalid } from "../../shared/basics/validation.ts";
import type { NodeRow } from "../store/rows.ts";
import { moveHealth } from "./health/health.ts";
import type { Nodes } from "./nodes.ts";

type NodeChange = ParsedInputOf<"updateNode">;

/** An operator's changes to a node. Setting it active also makes it trusted again. */
export const changeNode = (farm: Nodes, nodeId: number, change: NodeChange): Promise<void> =>
  farm.change([], (draft) => {
    requireGroup(farm, change.group);
    const before = draft.node(nodeId);
    if (!before || before.revoked !== null) throw new AppError("NOT_FOUND", `There is no node ${nodeId}`);
    if (before.state === "pending" && change.state !== undefined && change.state !== "active")
      throw new AppError("CONFLICT", `${before.profile.name} waits for approval: make it active first, or revoke it`);
    const row = draft.setNode(before, rowOf(before, change));
    if (change.state !== "active") return;
    const { health } = moveHealth(farm, draft, row, "forgive");
    draft.setNode({ ...row, health }, { health: { ...health, since: farm.clock.steady(), strikes: 0 } });
    draft.undo(farm.health.forgetNode(nodeId));
  });

/** Absent fields stay unchanged. */
const rowOf = (row: NodeRow, { state, tags, slots, group }: NodeChange): Partial<NodeRow> => ({
  state: state ?? row.state,
  ownTags: tags ?? row.ownTags,
  ownSlots: slots ?? row.ownSlots,
  group: group === undefined ? row.group : group,
});

const requireGroup = ({ values }: Pick<Nodes, "values">, name: string | null | undefined): void => {
  if (!name || values.groups.has(name)) return;
  throw invalid([{ path: "group", message: `there is no compute group "${name}"` }]);
};
