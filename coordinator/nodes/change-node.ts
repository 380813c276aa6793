import { AppError } from "../../shared/errors.ts";
import type { NodeState } from "../../shared/state/node.ts";
import { invalid } from "../../shared/validation.ts";
import type { NodeRow } from "../store/rows.ts";
import { moveHealth } from "./blame.ts";
import type { Farm } from "./farm.ts";

export type NodeChange = {
  readonly state?: NodeState | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly slots?: number | undefined;
  /** Null: no group. */
  readonly group?: string | null | undefined;
};

/** An operator's changes to a node. Setting it active also makes it trusted again. */
export const changeNode = (farm: Farm, nodeId: number, change: NodeChange): Promise<void> =>
  farm.change([], (draft) => {
    requireGroup(farm, change.group);
    const before = draft.node(nodeId);
    if (!before || before.revoked !== null) throw new AppError("NOT_FOUND", `There is no node ${nodeId}`);
    const row = draft.setNode(before, rowOf(before, change));
    if (change.state !== "active") return;
    const { health } = moveHealth(farm, draft, row, "forgive");
    draft.setNode({ ...row, health }, { health: { ...health, since: farm.clock.steady(), strikes: 0 } });
    draft.undo(farm.blame.forgetNode(nodeId));
  });

/** Absent fields stay unchanged. */
const rowOf = (row: NodeRow, { state, tags, slots, group }: NodeChange): Partial<NodeRow> => ({
  state: state ?? row.state,
  ownTags: tags ?? row.ownTags,
  ownSlots: slots ?? row.ownSlots,
  group: group === undefined ? row.group : group,
});

const requireGroup = ({ values }: Farm, name: string | null | undefined): void => {
  if (!name || values.groups.has(name)) return;
  throw invalid([{ path: "group", message: `there is no compute group "${name}"` }]);
};
